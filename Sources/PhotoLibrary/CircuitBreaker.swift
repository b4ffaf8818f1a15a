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

    /// Admits a call, which must be followed by `record`, or returns the time until one may be admitted.
    mutating func permit(now: Instant) -> Duration? {
        switch state {
        case .closed: return nil
        case .probing: return Self.shortest
        case .open(let until) where now < until: return until - now
        case .open:
            state = .probing
            return nil
        }
    }

    /// Reports the end of a call, by its meaning for the health of the library.
    mutating func record(_ health: UpstreamError.Health, now: Instant) {
        switch (health, state) {
        case (.answer, _):
            state = .closed(failures: 0)
            pause = Self.shortest
        case (.failure, .closed(let failures)):
            state = failures + 1 < Self.threshold ? .closed(failures: failures + 1) : .open(until: now + pause)
        case (.failure, .probing):
            pause = min(pause * 2, Self.longest)
            state = .open(until: now + pause)
        case (.unknown, .probing): state = .open(until: now)
        // The call began before the breaker opened, or says nothing.
        case (.failure, .open), (.unknown, _): break
        }
    }

    package enum Condition: String, Sendable {
        case ok
        /// The last call has failed.
        case degraded
        case down
    }

    var condition: Condition {
        switch state {
        case .closed(let failures): failures == 0 ? .ok : .degraded
        case .open, .probing: .down
        }
    }
}

/// Remembers failures for seconds, so that equal requests do not repeat them.
package struct FailureMemory<Key: Hashable & Sendable>: Sendable {
    /// Few, since an entry may have 3 kB of the target and the library's words.
    private var failures = BoundedCache<Key, (error: UpstreamError, until: Instant)>(capacity: 512)

    package init() {}

    /// The failure of a key, if it is still remembered, with the rest of the time that the library asks for.
    package mutating func failure(of key: Key, now: Instant) -> UpstreamError? {
        failures.value(for: key).flatMap { now < $0.until ? $0.error.waiting($0.until - now) : nil }
    }

    /// Records the failure of a fetch; `random` is any number.
    ///
    /// A missing photo is remembered for a minute, a failure for one to five seconds, so that clients do not retry at the
    /// same moment, or as long as the library asks for. Refusals by the gate or the memory budget are not remembered.
    package mutating func record(_ error: UpstreamError, of key: Key, random: UInt64, now: Instant) {
        let time: Duration
        switch error {
        case .notFound, .invalidQuery: time = .seconds(60)
        case .refused, .failed, .invalid, .unusable, .timedOut, .imageRejected, .credentials:
            time = max(.milliseconds(1000 + random % 4000), error.retryAfter ?? .zero)
        case .rateLimited, .overloaded, .unavailable, .storeUnavailable, .cancelled, .counted: return
        }
        failures.insert((error, now + time), for: key, cost: 1)
    }
}
