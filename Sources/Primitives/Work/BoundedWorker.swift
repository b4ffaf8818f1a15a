import Synchronization

/// Computes values one after the other on a thread of its own, each once for all callers that want it at the same time,
/// with a bound on how many wait.
package final class BoundedWorker<Name: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private let queue: Mutex<WorkQueue<Name, Waiter>>
    private let lastID = Atomic<UInt64>(0)
    private let thread = WorkThread()

    /// A worker that takes on `limit` different works at a time, the running one included.
    package init(limit: Int) {
        queue = Mutex(WorkQueue(limit: limit))
    }

    /// Returns the value of that name: computed, or waited for if it is being computed already.
    ///
    /// `compute` makes the value, on the worker's thread. It may ask its argument now and then whether the value is still
    /// wanted; once the answer was false, it has to throw.
    ///
    /// - Throws: what `compute` throws; `WorkerIsBusy` if too much is under way; `CancellationError` if the caller's task
    ///   is cancelled.
    package func value(
        named name: Name,
        _ compute: @escaping @Sendable (_ isWanted: () -> Bool) throws -> Value
    ) async throws -> Value {
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                switch queue.withLock({ $0.ask(for: name, id: id, waiter) }) {
                case .start: thread.submit { self.work(on: name, compute) }
                case .joined: break
                case .refused: waiter.resume(throwing: WorkerIsBusy())
                }
                // The handler below may have run before the caller was in the queue.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: UInt64) {
        let waiter = queue.withLock { $0.leave(id) }
        waiter?.resume(throwing: CancellationError())
    }

    private func work(on name: Name, _ compute: (_ isWanted: () -> Bool) throws -> Value) {
        guard queue.withLock({ $0.begin(name) }) else { return }
        var isAbandoned = false
        let result = Result {
            try compute {
                if !isAbandoned { isAbandoned = queue.withLock { $0.abandon(name) } }
                return !isAbandoned
            }
        }
        // Work that was abandoned is out of the queue, where its name may stand for a later caller's by now.
        if isAbandoned { return }
        for waiter in queue.withLock({ $0.finish(name) }) { waiter.resume(with: result) }
    }

    /// What the worker has to do.
    package var load: WorkerLoad {
        queue.withLock { WorkerLoad(queued: $0.count - $0.running, running: $0.running, refused: $0.refusals) }
    }
}

/// The error of a caller that comes when too much is under way.
package struct WorkerIsBusy: Error, Equatable {
    package init() {}
}

/// What a worker has to do.
package struct WorkerLoad: Sendable, Equatable {
    /// Works that wait for their turn.
    package let queued: Int
    /// Works being computed, one at most.
    package let running: Int
    /// Works refused since the start, because too many waited.
    package let refused: Int

    package init(queued: Int, running: Int, refused: Int) {
        self.queued = queued
        self.running = running
        self.refused = refused
    }
}
