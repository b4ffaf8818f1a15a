/// Leaves a dead library alone: after several failures in a row, one probe at a time.
package struct CircuitBreaker: Sendable {
    private enum State: Equatable {
        case closed(failures: Int)
        case open(until: ContinuousClock.Instant)
        case probing
    }

    private var state = State.closed(failures: 0)
    /// Doubles with every failed probe.
    private var pause: Duration

    private let threshold: Int
    private let shortest: Duration
    private let longest: Duration

    /// A breaker that opens after `threshold` failures in a row, first for the shortest pause, doubled up to the longest.
    package init(threshold: Int = 5, shortest: Duration = .seconds(2), longest: Duration = .seconds(30)) {
        self.threshold = threshold
        self.shortest = shortest
        self.longest = longest
        pause = shortest
    }

    package enum Permit: Sendable, Equatable {
        case granted
        case refused(retryAfter: Duration)
    }

    /// Asks for one call.
    ///
    /// Every `granted` must be followed by exactly one of the three reports.
    package mutating func permit(now: ContinuousClock.Instant) -> Permit {
        switch state {
        case .closed: return .granted
        case .probing: return .refused(retryAfter: shortest)
        case .open(let until) where now < until: return .refused(retryAfter: until - now)
        case .open:
            state = .probing
            return .granted
        }
    }

    /// The library answered; what it said does not matter here.
    package mutating func succeeded() {
        state = .closed(failures: 0)
        pause = shortest
    }

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
            // The report of a call that began before it opened.
            break
        }
    }

    /// The call ended without saying anything of the library: its asker left, or a limit of ours ended it.
    package mutating func abandoned(now: ContinuousClock.Instant) {
        if state == .probing { state = .open(until: now) }
    }

    package enum Condition: Sendable, Equatable {
        case ok
        /// It has failed lately.
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
