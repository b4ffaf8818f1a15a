/// Admits calls of the library: by the circuit breaker, then by the hourly budget.
package struct UpstreamGate: Sendable {
    private var budget: HourlyBudget
    private var breaker: CircuitBreaker
    /// Whether the library has refused the key.
    private var isLockedOut = false

    package init(budget: HourlyBudget, breaker: CircuitBreaker = CircuitBreaker()) {
        self.budget = budget
        self.breaker = breaker
    }

    /// Admits a call, which must be followed by `leave`, or returns the error that prevents it.
    package mutating func enter(_ purpose: HourlyBudget.Purpose, now: ContinuousClock.Instant) -> UpstreamError? {
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
        now: ContinuousClock.Instant
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

    /// The health of the library.
    package var condition: CircuitBreaker.Condition { isLockedOut ? .down : breaker.condition }

    /// The time until background work is allowed; nil if it is now.
    package mutating func refusesBackground(now: ContinuousClock.Instant) -> Duration? {
        budget.refusesBackground(now: now)
    }

    package var limit: Int { budget.limit }
    package mutating func remaining(now: ContinuousClock.Instant) -> Int { budget.remaining(now: now) }
    package mutating func untilReset(now: ContinuousClock.Instant) -> Duration { budget.untilReset(now: now) }
}
