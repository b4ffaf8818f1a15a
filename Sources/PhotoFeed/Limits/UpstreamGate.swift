package import Primitives

/// Admits calls of the library: by the circuit breaker, then by the hourly budget.
package struct UpstreamGate: Sendable {
    private(set) var budget: HourlyBudget
    private(set) var breaker: CircuitBreaker
    /// Whether the library has refused the key.
    private(set) var isLockedOut = false

    package init(budget: HourlyBudget, breaker: CircuitBreaker = CircuitBreaker()) {
        self.budget = budget
        self.breaker = breaker
    }

    /// Admits a call, which must be followed by `leave`, or returns the error that prevents it.
    package mutating func enter(_ purpose: HourlyBudget.Purpose, now: Instant) -> UpstreamError? {
        if case .refused(let retryAfter) = breaker.permit(now: now) { return .unavailable(retryAfter: retryAfter) }
        if case .refused(let retryAfter) = budget.spend(for: purpose, now: now) {
            breaker.abandoned(now: now)
            return .rateLimited(retryAfter: retryAfter)
        }
        return nil
    }

    /// Reports the end of a call, and the library's count.
    ///
    /// - Returns: the error for clients: that of an exhausted limit has the time until the next probe.
    @discardableResult
    package mutating func leave(
        _ error: UpstreamError?,
        rateLimit: UpstreamRateLimit?,
        now: Instant
    ) -> UpstreamError? {
        switch error?.evidence {
        case .failure:
            breaker.failed(now: now)
            return error
        case .silence:
            breaker.abandoned(now: now)
            return error
        case .answer, nil: break
        }
        breaker.succeeded()
        isLockedOut = error == .credentials
        if case .rateLimited = error {
            budget.refused(now: now)
            return .rateLimited(retryAfter: min(HourlyBudget.probeInterval, budget.untilReset(now: now)))
        }
        if let rateLimit, error != .credentials { budget.observe(remaining: rateLimit.remaining, now: now) }
        return error
    }

    // MARK: A budget of several replicas

    /// What a replica knows of an hour.
    package struct Known: Sendable, Equatable {
        package let used: Int
        package let isRefused: Bool
    }

    /// Asks the breaker alone; a call that it admits must be followed by `leave` or `abandoned`.
    package mutating func permit(now: Instant) -> UpstreamError? {
        guard case .refused(let retryAfter) = breaker.permit(now: now) else { return nil }
        return .unavailable(retryAfter: retryAfter)
    }

    /// Reports that a call was not made.
    package mutating func abandoned(now: Instant) {
        breaker.abandoned(now: now)
    }

    package func limit(for purpose: HourlyBudget.Purpose) -> Int { budget.limit(for: purpose) }

    /// Returns the way of a call that the shared count has not granted.
    package mutating func denied(
        _ purpose: HourlyBudget.Purpose,
        now: Instant
    ) -> HourlyBudget.Denial {
        budget.denied(purpose, now: now)
    }

    package mutating func beginProbe(now: Instant) {
        budget.beginProbe(now: now)
    }

    /// Adopts the state of an hour that several replicas share.
    package mutating func adopt(
        used: Int,
        isRefused: Bool,
        hourEnds: Instant,
        now: Instant
    ) {
        budget.adopt(used: used, isRefused: isRefused, hourEnds: hourEnds, now: now)
    }

    package mutating func known(now: Instant) -> Known { budget.known(now: now) }

    // MARK: State

    /// The health of the library.
    package var condition: CircuitBreaker.Condition { isLockedOut ? .down : breaker.condition }

    /// The time until background work is allowed; nil if it is now.
    package mutating func refusesBackground(now: Instant) -> Duration? {
        budget.refusesBackground(now: now)
    }

    package var limit: Int { budget.limit }
    package mutating func remaining(now: Instant) -> Int { budget.remaining(now: now) }
    package mutating func untilReset(now: Instant) -> Duration { budget.untilReset(now: now) }
}

/// Remembers failures for seconds, so that equal requests do not repeat them.
package struct FailureMemory<Key: Hashable & Sendable>: Sendable {
    private struct Failure: Sendable {
        let error: UpstreamError
        let until: Instant
    }

    private var failures = BoundedCache<Key, Failure>(capacity: 4096)

    package init() {}

    /// The failure of a key, if it is still remembered.
    package mutating func failure(of key: Key, now: Instant) -> UpstreamError? {
        guard let failure = failures.value(for: key) else { return nil }
        if now < failure.until { return failure.error }
        failures.remove(key)
        return nil
    }

    /// Records the end of a fetch; `jitter` is 0 to 1.
    ///
    /// A missing photo is remembered for a minute, a failure for one to five seconds, so that clients do not retry at the
    /// same moment. Refusals by the gate or the memory budget are not remembered.
    package mutating func record(_ error: UpstreamError?, of key: Key, jitter: Double, now: Instant) {
        switch error {
        case .notFound, .invalidQuery:
            block(key, error, for: .seconds(60), now: now)
        case .refused, .failed, .invalid, .unusable, .timedOut, .imageRejected, .credentials:
            block(key, error, for: .milliseconds(1000 + Int.clamping(jitter * 4000)), now: now)
        case .rateLimited, .overloaded, .unavailable, .storeUnavailable, .cancelled: break
        case nil: failures.remove(key)
        }
    }

    private mutating func block(_ key: Key, _ error: UpstreamError?, for time: Duration, now: Instant) {
        guard let error else { return }
        failures.insert(Failure(error: error, until: now + time), for: key, cost: 1)
    }
}
