import Dispatch
import Synchronization

/// Computes values one after the other on its own thread, with a limit on how many wait.
///
/// Equal requests share one computation, which is not started if its callers have left. One client has at most half of the
/// places, so that it cannot keep all others out.
package final class BoundedWorker<Name: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    /// The computations that each client has started.
    private let shares: ClientShares
    /// Held from the look at the limit to the start of a computation.
    private let starts = Lock(())
    private let flights = Flights<Name, Void, Value>(linger: .zero)
    /// It has a thread of its own: in Swift's pool, a long computation would keep one core from everything else.
    private let queue = DispatchQueue(label: "work")
    private let running = Atomic(0)
    private let refused = Atomic(0)

    /// Creates a worker that accepts `limit` different computations at a time, the running one included.
    package init(limit: Int) {
        self.limit = limit
        shares = ClientShares(limit: max(1, limit / 2))
    }

    /// Returns the value of a name: computes it, or waits for the computation that is under way.
    ///
    /// `compute` runs on the worker's thread. It may ask whether the value is still needed; if not, it must throw.
    ///
    /// - Throws: the error of `compute`; `WorkerIsBusy` if the limit or the share of the client is reached;
    ///   `CancellationError` if the caller's task is cancelled.
    package func value(
        named name: Name,
        for client: ClientKey? = nil,
        _ compute: @escaping @Sendable (_ isWanted: () -> Bool) throws -> Value
    ) async throws -> Value {
        let waiter = try starts.withLock { _ in
            if flights.contains(name) { return try flights.join(name, ()) { [self] in try await run(compute) } }
            guard flights.count < limit, shares.reserve(client) else {
                refused.add(1, ordering: .relaxed)
                throw WorkerIsBusy()
            }
            return try flights.join(name, ()) { [self] in
                defer { shares.release(client) }
                return try await run(compute)
            }
        }
        return try await flights.value(of: waiter)
    }

    /// Runs a computation on the thread; the task is cancelled when the last caller has left.
    private func run(_ compute: @escaping @Sendable (_ isWanted: () -> Bool) throws -> Value) async throws -> Value {
        let isWanted = Flag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    self.running.add(1, ordering: .relaxed)
                    let result = Result {
                        guard isWanted.value.load(ordering: .relaxed) else { throw CancellationError() }
                        return try compute { isWanted.value.load(ordering: .relaxed) }
                    }
                    self.running.subtract(1, ordering: .relaxed)
                    continuation.resume(with: result)
                }
            }
        } onCancel: {
            isWanted.value.store(false, ordering: .relaxed)
        }
    }

    /// The computations under way and those refused.
    package var load: WorkerLoad {
        let running = running.load(ordering: .relaxed)
        let count = flights.count
        return WorkerLoad(queued: max(0, count - running), running: running, refused: refused.load(ordering: .relaxed))
    }

    private final class Flag: Sendable {
        let value = Atomic(true)
    }
}

/// The error of a caller that a worker refuses because too much is under way.
package struct WorkerIsBusy: Error, Equatable {}

/// The computations of a worker.
package struct WorkerLoad: Sendable, Equatable {
    /// Computations that wait.
    package let queued: Int
    /// Computations that run: one at most.
    package let running: Int
    /// Computations refused since the start, because too many waited.
    package let refused: Int
}
