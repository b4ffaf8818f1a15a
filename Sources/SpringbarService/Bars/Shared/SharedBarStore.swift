package import BarLayout
package import HTTPExchange
package import Logging
package import Primitives
package import SharedState
import Synchronization

/// Bars in a store that several replicas share.
///
/// A replica has copies of the bars that it wrote last. A write usually begins with the copy: the operation decides on it,
/// and the store compares the version, so one round trip is enough.
///
/// **A copy is used only for writes, because the store checks their version.** A copy can be outdated. If an operation
/// refuses the request on the copy, or answers it without a write, it decides again on a record that was just read.
package final class SharedBarStore: BarStore {
    let engine: any SharedEngine
    let watches: BarWatches
    let limits: SharedBarLimits
    let shares: SharedClientShares
    private let copies: Mutex<BoundedCache<BarID, SharedBar>>
    private let lanes = WriteLanes<BarID>()
    let rules: BarRules
    let makeNonce: @Sendable () -> UInt64
    let pause: @Sendable (Duration) async throws -> Void
    private let conflictCount = Atomic(0)
    private let unreadableValues: UnreadableValues

    /// - Parameters:
    ///   - engine: the shared store.
    ///   - observers: the observers of this replica's clients.
    ///   - maxSessions: the most bars of all replicas.
    ///   - maxSessionsPerClient: the most bars of one client; 0 for no limit.
    ///   - copyBytes: the most bytes of copies.
    ///   - rules: the rules that a full log applies to its oldest entries.
    ///   - logger: gets the states that cannot be read.
    ///   - makeNonce: makes random numbers, by which a replica recognises its writes.
    ///   - pause: waits before a write with an unknown outcome is sent again.
    package init(
        engine: any SharedEngine,
        observers: BarObservers,
        maxSessions: Int,
        maxSessionsPerClient: Int = 0,
        copyBytes: Int,
        rules: BarRules = .fluid,
        logger: Logger,
        makeNonce: @escaping @Sendable () -> UInt64 = WriteNonces.maker(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.engine = engine
        self.rules = rules
        let unreadableValues = UnreadableValues(logger: logger)
        self.unreadableValues = unreadableValues
        self.makeNonce = makeNonce
        self.pause = pause
        watches = BarWatches(engine: engine, observers: observers, logger: logger)
        limits = SharedBarLimits(maxSessions: maxSessions)
        shares = SharedClientShares(
            engine: engine,
            limit: maxSessionsPerClient,
            makeNonce: makeNonce,
            pause: pause,
            unreadable: { unreadableValues.note($0) }
        )
        copies = Mutex(BoundedCache(capacity: copyBytes))
    }

    package var statistics: BarStatistics { limits.statistics }

    /// The time of the engine.
    var now: WallTime { engine.now }

    package var shared: SharedStoreStatus? {
        SharedStoreStatus(
            engine: engine.status,
            conflicts: conflictCount.load(ordering: .relaxed),
            unreadable: unreadableValues.count + watches.unreadable,
            resets: watches.resets
        )
    }

    /// The engine ends bars.
    package var parts: Int { 0 }

    package func expire(part: Int, now: WallTime) -> [BarID] { [] }

    package func watch(_ id: BarID) -> @Sendable () -> Void { watches.begin(id) }

    // MARK: Reading

    package func load(_ id: BarID, now: WallTime) -> Promised<BarRecord> {
        .later { [self] in try await read(id, now).record }
    }

    package func loadWithLog(_ id: BarID, now: WallTime) -> Promised<LoggedBar> {
        .later { [self] in
            let (bar, log) = try await readWithLog(id, now)
            return LoggedBar(record: bar.record, log: log)
        }
    }

    /// Reads a bar.
    ///
    /// - Throws: `notFound` or `unavailable`.
    func read(_ id: BarID, _ now: WallTime) async throws -> SharedBar {
        let shown = watches.shown(id)
        let value = try await SharedBarStore.calling { () async throws(SharedStateError) in
            try await engine.read(id.key)
        }
        guard let value else { throw missing(id) }
        return try accept(try decode(value), of: id, after: shown, now)
    }

    private func readWithLog(_ id: BarID, _ now: WallTime) async throws -> (SharedBar, BarLog) {
        let (bar, elements) = try await readWithElements(id, now)
        do throws(StoredBytesError) {
            return (bar, try bar.log(of: elements))
        } catch {
            throw unreadable(error)
        }
    }

    /// Reads a bar and the elements of its log.
    func readWithElements(_ id: BarID, _ now: WallTime) async throws -> (SharedBar, [[UInt8]]) {
        let shown = watches.shown(id)
        let entry = try await SharedBarStore.calling { () async throws(SharedStateError) in
            try await engine.readWithLog(id.key)
        }
        guard let entry else { throw missing(id) }
        return (try accept(try decode(entry.value), of: id, after: shown, now), entry.log)
    }

    /// Notes a bar that was just read; throws if it has expired.
    private func accept(_ bar: SharedBar, of id: BarID, after shown: Int?, _ now: WallTime) throws -> SharedBar {
        watches.saw(bar, of: id, after: shown)
        guard bar.record.expiresAt.milliseconds > now.milliseconds else { throw missing(id) }
        return bar
    }

    func decode(_ value: SharedValue) throws -> SharedBar {
        do throws(StoredBytesError) {
            return try SharedBar(value)
        } catch {
            throw unreadable(error)
        }
    }

    /// Notes that bytes of the store cannot be read; returns the error of the request that needs them.
    func unreadable(_ error: StoredBytesError) -> BarSessionError { unreadableValues.note(error) }

    /// Notes that a bar is not in the store.
    private func missing(_ id: BarID) -> BarSessionError {
        forget(id)
        watches.missed(id)
        return .notFound
    }

    // MARK: Performing operations

    /// The most attempts of an operation: other replicas came first at each of them.
    private static let attempts = 100

    package func perform(_ operation: any BarOperation, now: WallTime) -> Promised<BarDecision> {
        .later { [self] in try await lanes.run(operation.id) { try await decide(operation, now) } }
    }

    private func decide(_ operation: any BarOperation, _ now: WallTime) async throws -> BarDecision {
        let copy = copies.withLock { $0.value(for: operation.id) }
        /// A bar that was just read: refusals and answers are decided on it only.
        var present: SharedBar?
        if let copy, let decision = SharedBarStore.write(of: operation, on: copy, now) {
            present = try await carryOut(decision, of: operation, on: copy, now)
            guard present != nil else { return decision }
        }
        for _ in 0..<SharedBarStore.attempts {
            let bar: SharedBar
            var log: BarLog?
            if let read = present, !operation.needsLog(read.record) {
                bar = read
            } else if (present ?? copy).map({ operation.needsLog($0.record) }) ?? false {
                try operation.reserveLog()
                (bar, log) = try await readWithLog(operation.id, now)
            } else {
                bar = try await read(operation.id, now)
                if operation.needsLog(bar.record) {
                    present = bar
                    continue
                }
            }
            guard bar.record.expiresAt.milliseconds > now.milliseconds else { throw missing(operation.id) }
            let decision = try operation.decide(bar.record, log, now: now)
            if case .keep = decision {
                keep(bar, of: operation.id)
                return decision
            }
            present = try await carryOut(decision, of: operation, on: bar, now)
            guard present != nil else { return decision }
        }
        throw BarSessionError.contended
    }

    /// Returns the decision of an operation on a copy if it leads to a write.
    private static func write(of operation: any BarOperation, on copy: SharedBar, _ now: WallTime) -> BarDecision? {
        guard copy.record.expiresAt.milliseconds > now.milliseconds, !operation.needsLog(copy.record),
            let decision = try? operation.decide(copy.record, nil, now: now)
        else { return nil }
        if case .keep = decision { return nil }
        return decision
    }

    /// Carries out a decision on a bar; returns the present bar if another write came first, else nil.
    private func carryOut(
        _ decision: BarDecision,
        of operation: any BarOperation,
        on bar: SharedBar,
        _ now: WallTime
    ) async throws -> SharedBar? {
        let shown = watches.shown(operation.id)
        let outcome: SharedOutcome
        switch decision {
        case .keep: return nil
        case .delete: outcome = try await delete(bar, operation.id, now)
        case .write(let write):
            outcome = try await store(write, on: bar, of: operation, now)
        }
        switch outcome {
        case .done(let next):
            if let next {
                keep(next, of: operation.id)
                watches.saw(next, of: operation.id, after: nil)
            } else {
                forget(operation.id)
            }
            return nil
        case .missing: throw missing(operation.id)
        case .conflict(let present):
            conflictCount.add(1, ordering: .relaxed)
            watches.saw(present, of: operation.id, after: shown)
            return present
        }
    }

    // MARK: Copies

    /// Keeps a copy, in place of an older one: writes of a bar come one after the other.
    func keep(_ bar: SharedBar, of id: BarID) {
        copies.withLock { _ = $0.insert(bar, for: id, cost: bar.cost) }
    }

    /// Drops the copy of a bar.
    func forget(_ id: BarID) {
        copies.withLock { $0.remove(id) }
    }
}

/// Counts and logs the values that cannot be read; nothing overwrites them.
private final class UnreadableValues: Sendable {
    private let total = Atomic(0)
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// Notes a value; returns the error of the request that needs it.
    func note(_ error: StoredBytesError) -> BarSessionError {
        total.add(1, ordering: .relaxed)
        logger.error("a stored bar, or the list of a client's bars, cannot be read", metadata: ["error": "\(error)"])
        return .unavailable
    }
}

/// The outcome of a write or a deletion.
enum SharedOutcome: Sendable {
    /// The store has the next state; nil after a deletion.
    case done(SharedBar?)
    /// The store has this state.
    case conflict(SharedBar)
    case missing
}

extension SharedBarStore {
    /// Runs a call of the engine without effects, and converts its error.
    static func calling<Result: Sendable>(
        _ call: () async throws(SharedStateError) -> Result
    ) async throws -> Result {
        do throws(SharedStateError) {
            return try await call()
        } catch {
            throw error.forBars
        }
    }
}

extension SharedStateError {
    /// The error as that of a request about a bar.
    var forBars: any Error {
        switch self {
        case .unavailable, .unknownOutcome, .refused: BarSessionError.unavailable
        case .full: BarSessionError.full
        case .cancelled: CancellationError()
        }
    }
}

extension BarID {
    /// The key of the bar in a shared store.
    var key: SharedKey { SharedKey(text, isCounted: true) }
}
