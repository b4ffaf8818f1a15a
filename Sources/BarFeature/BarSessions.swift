import BarLayout
import HTTPExchange
package import Primitives

/// The bars of the service: operations on the store, and the observers of each bar.
package struct BarSessions: Sendable {
    package let store: any BarStore
    let now: @Sendable () -> WallTime
    private let makeID: @Sendable () -> BarID
    private let ttlSeconds: Int

    /// `ttlSeconds` is the time from a write to the end of a bar, unless its client chooses another one.
    ///
    /// Clients see the times of `now`, a clock that does not jump. `makeID` makes ids that cannot be guessed.
    package init(
        store: any BarStore,
        ttlSeconds: Int,
        now: @escaping @Sendable () -> WallTime,
        makeID: @escaping @Sendable () -> BarID = BarSessions.randomIDs()
    ) {
        self.store = store
        self.ttlSeconds = ttlSeconds
        self.now = now
        self.makeID = makeID
    }

    /// Returns a maker of ids from the system's generator, which is suitable for keys.
    ///
    /// With `replica` all ids begin with this byte, by which a balancer recognises the replica of a bar.
    package static func randomIDs(beginningWith replica: UInt8? = nil) -> @Sendable () -> BarID {
        {
            var generator = SystemRandomNumberGenerator()
            let id = BarID(using: &generator)
            return replica.map(id.beginning) ?? id
        }
    }

    /// Performs an operation.
    func perform(_ operation: some BarOperation) throws -> Reply {
        try store.perform(operation, now: now())
    }

    /// Creates a bar that counts for the request's client; with a key that was used before, returns the earlier answer.
    func create(_ creation: BarCreation, key: CreationKey?, memory: RequestMemory) throws -> Promised<EncodedBar> {
        let now = now()
        let record = BarRecord(session: creation.session, ttlSeconds: creation.ttlSeconds ?? ttlSeconds, now: now)
        @Sendable func encoded(_ id: BarID, number: UInt64 = 0, expiresAt: WallTime? = nil) throws -> EncodedBar {
            var record = record
            record.creation = number
            let answer = BarAnswer(id: id, expiresAt: expiresAt ?? record.expiresAt, commands: creation.commands)
            return try answer.encoded(record, in: memory)
        }
        let id = makeID()
        // First, because no bar must be made if the answer does not fit into memory.
        let answer = try encoded(id)
        return try store.create(record, as: id, key: key, memory: memory, now: now)
            .map {
                let isNew = $0.id == id && $0.creation == 0
                return try isNew ? answer : encoded($0.id, number: $0.creation, expiresAt: $0.expiresAt)
            }
    }

    /// Copies a bar to a new one without a log, which counts for the request's client.
    func fork(_ id: BarID, ttlSeconds: Int?, memory: RequestMemory) throws -> Promised<EncodedBar> {
        @Sendable func copy(of source: BarRecord) throws -> Promised<EncodedBar> {
            let ttlSeconds = ttlSeconds ?? source.ttlSeconds
            let copy = BarCreation(session: source.session, commands: [], ttlSeconds: ttlSeconds)
            return try create(copy, key: nil, memory: memory)
        }
        return switch try store.load(id, now: now()) {
        case .now(let source): try copy(of: source)
        case let promised: .later { try await copy(of: try await promised.value()).value() }
        }
    }

    /// Returns the present state of a bar, with the values of the named tracks; of all tracks for nil.
    func read(_ id: BarID, trackNames: [String]? = nil, memory: RequestMemory) throws -> Promised<EncodedBar> {
        try store.load(id, now: now()).map { record in
            if let unknown = trackNames?.first(where: { record.session.tracks[$0] == nil }) {
                throw BarSessionError.unknownTrack(unknown)
            }
            let answer = BarAnswer(id: id, expiresAt: record.expiresAt, hasSnapshot: true, trackNames: trackNames)
            return try answer.encoded(record, in: memory)
        }
    }

    /// Returns the state of a bar after an event; 0 is the state at its creation.
    func state(of id: BarID, at sequence: Int, memory: RequestMemory) throws -> Promised<EncodedBar> {
        try loadWithLog(id, memory).map { bar in
            let (record, log) = (bar.record, bar.log)
            guard sequence <= record.lastSequence else {
                throw BarSessionError.sequenceAhead(last: record.lastSequence)
            }
            let created = record.revision == 0 ? record : log.creation
            let replayed = try log.replay(from: sequence, to: sequence)?.last?.record
            guard var state = sequence == 0 ? created : replayed else {
                throw BarSessionError.sequenceTrimmed(first: log.firstSequence)
            }
            // A replayed state does not have it.
            state.creation = record.creation
            return try BarAnswer(id: id, expiresAt: nil, hasSnapshot: true).encoded(state, in: memory)
        }
    }

    /// Returns a bar with its log; a log that has to be fetched takes memory until the answer is sent.
    func loadWithLog(_ id: BarID, _ memory: RequestMemory) throws -> Promised<LoggedBar> {
        switch try store.loadWithLog(id, now: now()) {
        case .now(let bar): .now(bar)
        case let promised:
            .later {
                try memory.reserveWork(BarLog.fetchedBytes)
                return try await promised.value()
            }
        }
    }

    /// Applies events to a bar that is not stored; returns the result of each event.
    func apply(
        _ submission: EventSubmission,
        to creation: BarCreation,
        explaining: Bool,
        memory: RequestMemory
    ) throws -> EncodedBar {
        var record = BarRecord(session: creation.session)
        let detail = ResultDetail(scope: .all, explains: explaining)
        var run = EventRun(id: nil, after: 0, detail: detail)
        run.answer.commands = creation.commands
        try run.apply(submission, to: &record)
        return try run.answer.encoded(record, in: memory)
    }

    /// Opens a stream of a bar's changes: first its state, unless the client has read that event, then every change.
    ///
    /// `account` pays for events that wait.
    func observe(
        _ id: BarID,
        lastEventID: String?,
        withCommands: Bool,
        account: MemoryAccount
    ) throws -> Promised<EventStream> {
        @Sendable func add() -> BarObserver {
            store.observers.add(to: id, wantsCommands: withCommands, account: account, onEnd: store.watch(id))
        }
        @Sendable func begin(_ observer: BarObserver, with record: BarRecord) -> EventStream {
            let publication = BarPublication(id, record, withCommands: withCommands)
            observer.send(publication, isKnown: lastEventID == record.tag.text)
            return observer.stream
        }
        // The record is read after the observer was added: an earlier write is in the record, a later one is published.
        switch try store.load(id, now: now()) {
        case .now:
            let observer = add()
            guard case .now(let record)? = try? store.load(id, now: now()) else {
                observer.stream.close()
                throw BarSessionError.notFound
            }
            return .now(begin(observer, with: record))
        case let promised:
            // Work that never starts must leave no observer.
            return .later {
                let observer = add()
                do {
                    return begin(observer, with: try await promised.value())
                } catch {
                    observer.stream.close()
                    throw error
                }
            }
        }
    }
}
