import Primitives
import Synchronization

/// A clock that the test advances.
final class StepClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [(until: Instant, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    var now: Instant { state.withLock(\.now) }
    let minimumResolution = Duration.nanoseconds(1)

    /// The number of sleeping tasks.
    var sleepers: Int { state.withLock(\.sleepers.count) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if deadline > state.now { state.sleepers.append((deadline, continuation)) }
                return deadline <= state.now
            }
            if isOver { continuation.resume() }
        }
    }

    /// Advances the time and wakes the tasks that are due.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let woken = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return woken
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
