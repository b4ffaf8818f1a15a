/// Stops calls of a failing library: after several failures in a row, only one probe at a time is allowed.
package struct CircuitBreaker: Sendable {
    enum State: Equatable {
        case closed(failures: Int)
        case open(until: ContinuousClock.Instant)
        /// The end is nil if the report of the probe cannot be lost.
        case probing(until: ContinuousClock.Instant?)
    }

    private(set) var state = State.closed(failures: 0)
    /// Doubles with every failed probe.
    private(set) var pause: Duration

    private let threshold: Int
    private let shortest: Duration
    private let longest: Duration
    private let longestProbe: Duration?

    /// Opens after `threshold` failures in a row, for a pause that doubles from the shortest to the longest.
    ///
    /// A probe without a report after `longestProbe` is taken for lost, and another one is allowed: replicas share the
    /// breaker, and the one with the probe may have ended. With nil, every probe is followed by a report.
    package init(
        threshold: Int = 5,
        shortest: Duration = .seconds(2),
        longest: Duration = .seconds(30),
        longestProbe: Duration? = nil
    ) {
        self.threshold = threshold
        self.shortest = shortest
        self.longest = longest
        self.longestProbe = longestProbe
        pause = shortest
    }

    /// Restores a state; a pause outside of the shortest and the longest becomes one of them.
    mutating func restore(_ state: State, pause: Duration) {
        self.state = state
        self.pause = min(max(shortest, pause), longest)
    }

    /// Moves times of the state that are too far in the future, which a clock that was put back leaves behind.
    mutating func bound(now: ContinuousClock.Instant) {
        switch state {
        case .closed, .probing(until: nil): break
        case .open(let until): state = .open(until: min(until, now + longest))
        case .probing(let until?): state = .probing(until: min(until, now + (longestProbe ?? .zero)))
        }
    }

    package enum Permit: Sendable, Equatable {
        case granted
        case refused(retryAfter: Duration)
    }

    /// Requests permission for one call; each `granted` must be followed by one of the three reports.
    package mutating func permit(now: ContinuousClock.Instant) -> Permit {
        switch state {
        case .closed: return .granted
        case .probing(let until) where until.map { now < $0 } ?? true: return .refused(retryAfter: shortest)
        case .open(let until) where now < until: return .refused(retryAfter: until - now)
        case .open, .probing:
            state = .probing(until: longestProbe.map { now + $0 })
            return .granted
        }
    }

    /// Reports an answer of any status that is not a failure.
    package mutating func succeeded() {
        state = .closed(failures: 0)
        pause = shortest
    }

    /// Reports a failure of the library.
    package mutating func failed(now: ContinuousClock.Instant) {
        switch state {
        case .closed(let failures) where failures + 1 < threshold:
            state = .closed(failures: failures + 1)
        case .closed:
            state = .open(until: now + pause)
        case .probing:
            pause = min(pause * 2, longest)
            state = .open(until: now + pause)
        case .open:
            // The call began before the breaker opened.
            break
        }
    }

    /// Reports a call without an answer: it was cancelled, or a rule of the service ended it.
    package mutating func abandoned(now: ContinuousClock.Instant) {
        if case .probing = state { state = .open(until: now) }
    }

    package enum Condition: Sendable, Equatable {
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
