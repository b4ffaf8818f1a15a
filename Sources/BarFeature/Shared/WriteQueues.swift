import Primitives
import Synchronization

/// Runs the writes of a bar in this replica one after the other, in the order of their arrival.
///
/// Concurrent writes on one record would conflict at the store, and each conflict would cost a round trip.
final class WriteQueues: Sendable {
    /// The writes that wait for the present one of their bar; a bar without writes has no entry.
    private let queues = Mutex<[BarID: [PendingResult<Bool>]]>([:])

    /// The number of bars with writes.
    var count: Int { queues.withLock(\.count) }

    /// Runs a write when the earlier ones of its bar have ended.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and the errors of the write.
    func run<Result: Sendable>(_ id: BarID, _ write: () async throws -> Result) async throws -> Result {
        try await enter(id)
        defer { leave(id) }
        return try await write()
    }

    private func enter(_ id: BarID) async throws(CancellationError) {
        let waiting = queues.withLock { queues -> PendingResult<Bool>? in
            guard queues[id] == nil else {
                let waiting = PendingResult<Bool>()
                queues[id]?.append(waiting)
                return waiting
            }
            queues[id] = []
            return nil
        }
        guard let waiting else { return }
        guard await waiting.value(cancelled: false) else { throw CancellationError() }
    }

    /// Starts the next write that still waits; without one, removes the bar.
    private func leave(_ id: BarID) {
        while let next = queues.withLock({ queues in
            if queues[id]?.isEmpty == false { return queues[id]?.removeFirst() }
            queues[id] = nil
            return nil
        }) {
            if next.deliver(true) { return }
        }
    }
}
