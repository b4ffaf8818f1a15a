package import Primitives
import Synchronization

/// Time that the test advances, and the tasks that sleep in it.
package final class StepClock: Clock {
    private struct Sleepers {
        var last = 0
        var waiting: [Int: (end: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    /// The clock of parts that do not sleep.
    package let clock = TestClock()
    private let state = Lock(Sleepers())

    package init() {}

    package var now: Instant { clock.instant }
    package let minimumResolution = Duration.nanoseconds(1)

    /// The number of tasks that sleep.
    package var sleepers: Int { state.withLock(\.waiting.count) }

    /// Returns the number of tasks that wake within some time.
    package func sleepers(within time: Duration) -> Int {
        let end = now + time
        return state.withLock { $0.waiting.values.count { $0.end <= end } }
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { sleepers in
            sleepers.last += 1
            return sleepers.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // `advance` and cancellation wait for the lock, so they find the sleeper if they come after this look.
                let result: Result<Void, any Error>? = state.withLock { sleepers in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= now { return .success(()) }
                    sleepers.waiting[number] = (deadline, continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.waiting.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the time, and wakes the tasks that are due.
    package func advance(by duration: Duration) {
        clock.advance(by: duration)
        let due = state.withLock { sleepers in
            let due = sleepers.waiting.filter { $0.value.end <= now }
            for number in due.keys { sleepers.waiting[number] = nil }
            return due.values
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

extension Instant: InstantProtocol {
    package func advanced(by duration: Duration) -> Instant { self + duration }
    package func duration(to other: Instant) -> Duration { other - self }
}
