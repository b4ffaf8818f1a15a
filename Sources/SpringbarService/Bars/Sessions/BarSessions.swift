package import BarLayout
import HTTPExchange
package import Primitives

/// All bars of the service: what can be asked of them, without a word of HTTP.
///
/// Every write is optimistic: read the record, compute the next one as a value, store it if nobody wrote in between,
/// else begin again with what is there now. In memory that is two short locks; on a shared store it would be two round
/// trips, and nothing else would change.
package struct BarSessions: Sendable {
    let store: any BarStore
    let observers: BarObservers
    let rules: BarRules
    let now: @Sendable () -> WallTime
    private let makeID: @Sendable () -> BarID
    private let ttlSeconds: Int

    /// So often a write begins again before it gives up: every failed attempt is another's success, so this is only
    /// reached by a long batch on a bar that others never leave alone.
    private static let attempts = 1000

    /// - Parameters:
    ///   - store: where bars are kept.
    ///   - rules: what the bars borrow from outside.
    ///   - ttlSeconds: how long a bar lives after a write unless its creator says otherwise.
    ///   - now: a clock that does not jump; its moments are told to clients.
    ///   - makeID: makes names that nobody can guess.
    package init(
        store: any BarStore,
        rules: BarRules = .fluid,
        ttlSeconds: Int,
        now: @escaping @Sendable () -> WallTime,
        makeID: @escaping @Sendable () -> BarID = BarSessions.randomID
    ) {
        self.store = store
        self.rules = rules
        self.ttlSeconds = ttlSeconds
        self.now = now
        self.makeID = makeID
        observers = BarObservers()
    }

    /// A name from the system's generator, which is good for keys.
    package static let randomID: @Sendable () -> BarID = {
        var generator = SystemRandomNumberGenerator()
        return BarID(using: &generator)
    }

    /// How much is kept.
    package var statistics: BarStatistics { store.statistics }

    /// Streams that are open.
    package var observerCount: Int { observers.count }

    /// Makes a bar; with a key that made one before, from the same content, answers as then.
    ///
    /// The bar is part of the share of `client`; of none for nil.
    func create(
        _ blueprint: BarBlueprint,
        key: IdempotencyKey?,
        client: ClientKey? = nil
    ) throws(BarSessionError) -> BarAnswer {
        let now = now()
        let (session, outcome) = attach(blueprint)
        let record = BarRecord(session: session, ttlSeconds: blueprint.ttlSeconds ?? ttlSeconds, now: now)
        var id = makeID()
        switch store.create(record, as: id, key: key, client: client, now: now) {
        case .created: break
        case .existing(let earlier, _):
            // A 201 promises a whole life, so it gives one.
            store.touch(earlier, expiresAt: record.expiresAt, now: now)
            id = earlier
        case .keyReused: throw .keyReused
        case .running: throw .keyRunning
        case .full: throw .full
        case .clientShare: throw .clientShare
        }
        var answer = BarAnswer(id, record)
        answer.commands = outcome.commands.map { .init(sequence: 0, command: $0) }
        return answer
    }

    /// A bar as it stands; `trackNames` are those to evaluate, nil for all.
    func read(_ id: BarID, trackNames: [String]? = nil) throws(BarSessionError) -> BarAnswer {
        guard let record = store.load(id, now: now()) else { throw .notFound }
        if let unknown = trackNames?.first(where: { record.session.tracks[$0] == nil }) { throw .unknownTrack(unknown) }
        var answer = BarAnswer(id, record)
        answer.trackNames = trackNames
        return answer
    }

    /// Copies a bar as it stands to a new name, where it begins anew; the copy is part of its client's share.
    func fork(_ id: BarID, ttlSeconds: Int?, client: ClientKey? = nil) throws(BarSessionError) -> BarAnswer {
        let now = now()
        guard let origin = store.load(id, now: now) else { throw .notFound }
        let record = BarRecord(session: origin.session, ttlSeconds: ttlSeconds ?? origin.ttlSeconds, now: now)
        let copy = makeID()
        switch store.create(record, as: copy, key: nil, client: client, now: now) {
        case .created: return BarAnswer(copy, record)
        case .clientShare: throw .clientShare
        case .full, .existing, .keyReused, .running: throw .full
        }
    }

    /// Ends a bar, if the present revision passes `precondition`; nil for any.
    func delete(_ id: BarID, precondition: ((_ revision: Int) throws -> Void)? = nil) throws {
        for _ in 0..<BarSessions.attempts {
            let now = now()
            var revision: Int?
            if let precondition {
                guard let record = store.load(id, now: now) else { throw BarSessionError.notFound }
                try precondition(record.revision)
                revision = record.revision
            }
            switch store.delete(id, revision: revision, now: now) {
            case .done: return observers.end(id, reason: "deleted")
            case .conflict: continue
            case .gone, .full, .clientShare: throw BarSessionError.notFound
            }
        }
        throw BarSessionError.contended
    }

    /// Ends the bars whose time is over.
    package func expire() {
        for id in store.expire(now: now()) { observers.end(id, reason: "expired") }
    }

    /// The first state of a bar, and what attaching its view brought about.
    func attach(_ blueprint: BarBlueprint) -> (session: BarSession, outcome: BarOutcome) {
        BarSession.attached(
            to: blueprint.scrollable,
            configuration: blueprint.configuration,
            feedback: blueprint.feedback,
            options: blueprint.options,
            tracks: blueprint.tracks,
            rules: rules
        )
    }

    /// Changes a bar: `change` fills in from its record what is to be said, which is where it then stands, and gives
    /// what is new for its log; nothing new is nothing to store.
    func write(
        _ id: BarID,
        _ change: (BarRecord, WallTime, inout BarAnswer) throws -> BarLog.Addition
    ) throws -> BarAnswer {
        for _ in 0..<BarSessions.attempts {
            let now = now()
            guard let record = store.load(id, now: now) else { throw BarSessionError.notFound }
            var answer = BarAnswer(id, record)
            let addition = try change(record, now, &answer)
            if addition.entries.isEmpty {
                try answer.encodeResults(canAskForLess: true)
                return consume answer
            }
            let next = record.next(
                answer.session,
                revision: answer.revision,
                lastSequence: answer.lastSequence,
                now: now
            )
            answer.expiresAt = next.expiresAt
            // Before anything is stored: an answer that is too large refuses the request.
            try answer.encodeResults(canAskForLess: true)
            switch store.compareAndSet(id, revision: record.revision, to: next, appending: addition, now: now) {
            case .done:
                observers.publish(answer, of: id)
                return consume answer
            case .conflict: continue
            case .gone: throw BarSessionError.notFound
            case .full: throw BarSessionError.full
            case .clientShare: throw BarSessionError.clientShare
            }
        }
        throw BarSessionError.contended
    }
}
