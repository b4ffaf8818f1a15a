import Primitives
import Synchronization

/// Runs the writes of a bar in this replica one after the other, in the order of their arrival.
///
/// Concurrent writes on one record would conflict at the store, and each conflict would cost a round trip.
final class WriteLanes: Sendable {
    /// The writes that wait for the present one of their bar; a bar without writes has no entry.
    private let lanes = Mutex<[BarID: [PendingResult<Bool>]]>([:])

    /// The number of bars with writes.
    var count: Int { lanes.withLock(\.count) }

    /// Runs a write when the earlier ones of its bar have ended.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and the errors of the write.
    func run<Result: Sendable>(_ id: BarID, _ write: () async throws -> Result) async throws -> Result {
        try await enter(id)
        defer { leave(id) }
        return try await write()
    }

    private func enter(_ id: BarID) async throws(CancellationError) {
        let turn = lanes.withLock { lanes -> PendingResult<Bool>? in
            guard lanes[id] == nil else {
                let turn = PendingResult<Bool>()
                lanes[id]?.append(turn)
                return turn
            }
            lanes[id] = []
            return nil
        }
        guard let turn else { return }
        guard await turn.value(cancelled: false) else { throw CancellationError() }
    }

    /// Starts the next write that still waits.
    private func leave(_ id: BarID) {
        while let next = lanes.withLock({ $0.next(id) }) {
            if next.deliver(true) { return }
        }
    }
}

extension Dictionary {
    /// Removes and returns the next turn of a bar; without one, removes the bar.
    fileprivate mutating func next(_ id: Key) -> PendingResult<Bool>? where Value == [PendingResult<Bool>] {
        guard self[id]?.isEmpty == false else {
            self[id] = nil
            return nil
        }
        return self[id]?.removeFirst()
    }
}
