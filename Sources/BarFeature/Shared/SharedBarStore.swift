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
    package let observers: BarObservers
    let store: any SharedStore
    /// The bars that clients of this replica observe; run with the service.
    package let watches: BarWatches
    let shares: BarShares
    private let copies: Lock<BoundedCache<BarID, SharedBar>>
    private let queues = WriteQueues()
    let rules: BarRules
    let makeNonce: @Sendable () -> UInt64
    let retries: Retries
    private let logger: Logger
    private let conflicts = Atomic(0)
    private let unreadable = Atomic(0)

    /// Creates a store with copies of at most `copyBytes`; a client has at most `maxSessionsPerClient` bars, or any for 0.
    ///
    /// A full log applies the `rules` to its oldest entries. A replica recognises its writes by numbers of `makeNonce`.
    package init(
        store: any SharedStore,
        observers: BarObservers,
        maxSessionsPerClient: Int = 0,
        copyBytes: Int,
        rules: BarRules = .fluid,
        logger: Logger,
        now: @escaping @Sendable () -> WallTime,
        makeNonce: @escaping @Sendable () -> UInt64 = UniqueNumbers().next,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.observers = observers
        self.store = store
        self.rules = rules
        self.makeNonce = makeNonce
        retries = Retries(pause: pause)
        self.logger = logger
        watches = BarWatches(store: store, observers: observers, now: now, logger: logger)
        shares = BarShares(store: store, limit: maxSessionsPerClient)
        copies = Lock(BoundedCache(capacity: copyBytes))
    }

    /// The store does not count its bars.
    package var statistics: BarStatistics? { nil }

    package var shared: SharedStoreStatus? {
        SharedStoreStatus(
            connection: store.status,
            conflicts: conflicts.load(ordering: .relaxed),
            unreadable: unreadable.load(ordering: .relaxed) + watches.unreadable,
            resets: watches.resets
        )
    }

    /// The store ends bars.
    package var parts: Int { 0 }

    package func expire(part: Int, now: WallTime) -> [BarID] { [] }

    package func watch(_ id: BarID) -> @Sendable () -> Void { watches.begin(id) }

    // MARK: Reading

    package func load(_ id: BarID, now: WallTime) -> Promised<BarRecord> {
        later { store in try await store.read(id).record }
    }

    package func loadWithLog(_ id: BarID, now: WallTime) -> Promised<LoggedBar> {
        later { store in
            let (bar, stored) = try await store.readWithLog(id)
            return LoggedBar(record: bar.record, log: try store.readable { try bar.log(of: stored) })
        }
    }

    /// Reads a bar.
    ///
    /// - Throws: `notFound` or `unavailable`.
    func read(_ id: BarID) async throws -> SharedBar {
        guard let bytes = try await store.read(id.key) else { throw missing(id) }
        return try decode(bytes)
    }

    /// Reads a bar and its log, with at most `limit` elements of it.
    func readWithLog(_ id: BarID, limit: Int = .max) async throws -> (SharedBar, LoggedRecord) {
        guard let stored = try await store.readWithLog(id.key, limit: limit) else { throw missing(id) }
        return (try decode(stored.record), stored)
    }

    func decode(_ bytes: [UInt8]) throws -> SharedBar { try readable { try SharedBar.read(bytes) } }

    /// Reads bytes of the store; those that cannot be read are counted and logged, and nothing overwrites them.
    func readable<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            unreadable.add(1, ordering: .relaxed)
            logger.error("a stored bar cannot be read", metadata: ["error": "\(error)"])
            throw BarSessionError.unavailable
        }
    }

    func missing(_ id: BarID) -> BarSessionError {
        forget(id)
        return .notFound
    }

    // MARK: Performing operations

    /// The most attempts of an operation: other replicas came first at each of them.
    private static let attempts = 100

    package func perform(_ operation: some BarOperation, now: WallTime) -> Promised<EncodedBar?> {
        later { store in
            let (queues, id) = (store.queues, operation.id)
            if let turn = queues.enter(id), !(await turn.value(cancelled: false)) { throw CancellationError() }
            defer { queues.leave(id) }
            return try await store.decide(operation, now: now)
        }
    }

    private func decide(_ operation: some BarOperation, now: WallTime) async throws -> EncodedBar? {
        let copy = copies.withLock { $0.value(for: operation.id) }
        var first = copy.flatMap { SharedBarStore.write(of: operation, on: $0, now: now) }
        var present: SharedBar?
        for _ in 0...SharedBarStore.attempts {
            let bar: SharedBar
            let decision: BarDecision
            if let copy, let write = first.take() {
                bar = copy
                decision = write
            } else {
                let (read, log) = try await barWithLog(for: operation, present: present, copy: copy)
                bar = read
                decision = try operation.decide(read.record, log, now: now)
            }
            switch decision {
            case .keep(let answer):
                cache(bar, of: operation.id)
                return answer
            case .write(let write): present = try await commit(write, on: bar, of: operation, now: now)
            case .delete: present = try await remove(bar, operation.id)
            }
            guard present != nil else { return decision.answer }
            conflicts.add(1, ordering: .relaxed)
        }
        throw BarSessionError.contended
    }

    /// Returns the decision of an operation on a copy if it leads to a write.
    private static func write(of operation: some BarOperation, on copy: SharedBar, now: WallTime) -> BarDecision? {
        guard !operation.needsLog(copy.record), let decision = try? operation.decide(copy.record, nil, now: now) else {
            return nil
        }
        if decision.isKeep { return nil }
        return decision
    }

    /// Returns a bar that was just read, as refusals and answers need it, with its log if the operation needs it.
    ///
    /// `present` is the bar if it was read before.
    private func barWithLog(
        for operation: some BarOperation,
        present: SharedBar?,
        copy: SharedBar?
    ) async throws -> (bar: SharedBar, log: BarLog?) {
        var bar = present
        // If the copy needs the log, so does the bar, most likely: it is read once.
        if bar == nil, copy.map({ !operation.needsLog($0.record) }) ?? true { bar = try await read(operation.id) }
        if let bar, !operation.needsLog(bar.record) { return (bar, nil) }
        try operation.memory.reserveWork(BarLog.fetchedBytes)
        let (read, stored) = try await readWithLog(operation.id)
        return (read, try readable { try read.log(of: stored) })
    }

    // MARK: Copies

    /// Caches a copy in place of an older one: writes of a bar come one after the other.
    func cache(_ bar: SharedBar, of id: BarID) { copies.withLock { _ = $0.insert(bar, for: id, cost: bar.cost) } }

    /// Drops the copy of a bar.
    func forget(_ id: BarID) { copies.withLock { $0.remove(id) } }

    // MARK: Calls

    /// Promises the result of some calls, with the errors of a request about a bar.
    func later<Result: Sendable>(
        _ calls: @escaping @Sendable (SharedBarStore) async throws -> Result
    ) -> Promised<Result> {
        .later { [self] in
            do {
                return try await calls(self)
            } catch let error as SharedStateError {
                throw error.forBars
            }
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
