package import BarFeature
package import HTTPExchange
package import Logging
package import Primitives
package import SharedState
import Synchronization

/// Bars in a store that several replicas share.
///
/// A replica has copies of the bars that it wrote last. A write usually begins with the copy: the operation decides on it,
/// and the store compares the version, so one round trip is enough. With a second one, a POST takes 1.15 to 1.35 of the CPU
/// of this process, and 1.3 to 1.4 of that of Redis.
///
/// **A copy is used only for writes, because the store checks their version.** A copy can be outdated. If an operation
/// refuses the request on the copy, or answers it without a write, it decides again on a record that was just read.
package final class SharedBarStore: BarStore {
    package let observers = BarObservers()
    let store: any SharedStore
    let watches: BarWatches
    let shares: BarShares
    private let copies: Lock<BoundedCache<BarID, SharedBar>>
    let queues = WriteQueues()
    let makeNonce: @Sendable () -> UInt64
    let retries: Retries
    private let conflicts = Atomic(0)

    /// Creates a store with copies of at most `copyBytes`; a client has at most `maxSessionsPerClient` bars, or any for 0.
    ///
    /// A replica recognises its writes by numbers of `makeNonce`.
    package init(
        store: any SharedStore,
        maxSessionsPerClient: Int = 0,
        copyBytes: Int,
        logger: Logger,
        now: @escaping @Sendable () -> WallTime,
        makeNonce: @escaping @Sendable () -> UInt64 = UniqueNumbers().next,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.makeNonce = makeNonce
        retries = Retries(pause: pause)
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
            unreadable: watches.unreadable.load(ordering: .relaxed),
            resets: watches.resets.load(ordering: .relaxed)
        )
    }

    package func watch(_ id: BarID) -> @Sendable () -> Void { watches.begin(id) }

    /// Reads the watched bars after every reconnect and once a second, and sends failed releases again, until it is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.watches.wakes { await self.watches.readDueBars() } }
            group.addTask { while (try? await Task.sleep(for: .seconds(1))) != nil { await self.shares.resend() } }
            while (try? await Task.sleep(for: .seconds(1))) != nil { await watches.readDueBars() }
        }
    }

    // MARK: Reading

    package func load(_ id: BarID, now: WallTime) -> Promised<BarRecord> {
        later { store in
            let record = try await store.read(id).record
            store.watches.confirm(record, of: id)
            return record
        }
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
            watches.logUnreadable(error)
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

    package func perform(_ operation: some BarOperation, now: WallTime) -> Reply {
        later { store in
            guard await store.queues.enter(operation.id) else { throw SharedStateError.unavailable }
            var end = store.queues.leave
            defer { end(operation.id) }
            // A request changes nothing if it was refused, or its client left, before its turn came.
            guard !operation.memory.isRefused, !Task.isCancelled else { throw CancellationError() }
            do {
                return .bar(try await store.carryOut(operation, now: now))
            } catch SharedStateError.unknownOutcome {
                // The store does not reply in time. Those that wait would wait for the time-outs of all before them.
                end = store.queues.fail
                throw SharedStateError.unknownOutcome
            }
        }
    }

    /// Lets an operation decide on the copy of its bar, or else on the bar that is read, and carries out the decision.
    private func carryOut(_ operation: some BarOperation, now: WallTime) async throws -> EncodedBar? {
        let copy = copies.withLock { $0.value(for: operation.id) }
        var present = copy
        for _ in 0...SharedBarStore.attempts {
            let (bar, log) = try await barWithLog(for: operation, present: present)
            present = nil
            var record = bar.record
            let decision: BarDecision
            do {
                decision = try operation.decide(&record, log, now: now)
            } catch {
                if bar === copy { continue }
                throw error
            }
            switch decision {
            case .keep(let answer):
                if bar === copy { continue }
                cache(bar, of: operation.id)
                return answer
            case .write(let write): present = try await self.write(record, write, on: bar, of: operation, now: now)
            case .delete: present = try await remove(bar, operation.id)
            }
            guard present != nil else { return decision.answer }
            conflicts.add(1, ordering: .relaxed)
        }
        throw BarSessionError.contended
    }

    /// Returns a bar that was just read, as refusals and answers need it, with its log if the operation needs it.
    ///
    /// `present` is the bar if it was read before.
    private func barWithLog(
        for operation: some BarOperation,
        present: SharedBar?
    ) async throws -> (bar: SharedBar, log: BarLog?) {
        let bar = if let present { present } else { try await read(operation.id) }
        if !operation.needsLog(bar.record) { return (bar, nil) }
        try operation.memory.reserveWork(BarLog.fetchedBytes)
        let (read, stored) = try await readWithLog(operation.id)
        return (read, try readable { try read.log(of: stored) })
    }

    // MARK: Copies

    /// Caches a copy in place of an older one: writes of a bar come one after the other.
    func cache(_ bar: SharedBar, of id: BarID) { copies.withLock { _ = $0.insert(bar, for: id, cost: bar.cost) } }

    func forget(_ id: BarID) { copies.withLock { $0.remove(id) } }

    // MARK: Calls

    /// Promises the result of some calls, with the errors of a request about a bar.
    func later<Result: Sendable>(
        _ calls: @escaping @Sendable (SharedBarStore) async throws -> Result
    ) -> Promised<Result> {
        .later { [self] in
            do {
                return try await calls(self)
            } catch SharedStateError.full {
                throw BarSessionError.full
            } catch SharedStateError.cancelled {
                throw CancellationError()
            } catch is SharedStateError {
                throw BarSessionError.unavailable
            }
        }
    }
}
