package import Primitives

/// Stops calls of a failing library: after several failures in a row, only one probe at a time is allowed.
package struct CircuitBreaker: Sendable {
    private enum State {
        case closed(failures: Int)
        case open(until: Instant)
        case probing
    }

    private var state = State.closed(failures: 0)
    /// Doubles with every failed probe.
    private var pause = shortest

    private static let threshold = 5
    private static let shortest = Duration.seconds(2)
    private static let longest = Duration.seconds(30)

    package init() {}

    /// Admits a call, which must be followed by one of the three reports, or returns the time until one may be admitted.
    package mutating func permit(now: Instant) -> Duration? {
        switch state {
        case .closed: return nil
        case .probing: return Self.shortest
        case .open(let until) where now < until: return until - now
        case .open:
            state = .probing
            return nil
        }
    }

    /// Reports an answer of any status that is not a failure.
    package mutating func succeeded() {
        state = .closed(failures: 0)
        pause = Self.shortest
    }

    package mutating func failed(now: Instant) {
        switch state {
        case .closed(let failures) where failures + 1 < Self.threshold: state = .closed(failures: failures + 1)
        case .closed: state = .open(until: now + pause)
        case .probing:
            pause = min(pause * 2, Self.longest)
            state = .open(until: now + pause)
        // The call began before the breaker opened.
        case .open: break
        }
    }

    /// Reports a call without an answer: it was cancelled, or a rule of the service ended it.
    package mutating func abandoned(now: Instant) {
        if case .probing = state { state = .open(until: now) }
    }

    package enum Condition: String, Sendable {
        case ok
        /// The last call has failed.
        case degraded
        case down
    }

    package var condition: Condition {
        switch state {
        case .closed(let failures): failures == 0 ? .ok : .degraded
        case .open, .probing: .down
        }
    }
}
