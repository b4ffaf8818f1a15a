/// What every call of the library passes: the breaker and the hourly budget.
package struct UpstreamGate: Sendable {
    private var budget: HourlyBudget
    private var breaker: CircuitBreaker
    /// The library refuses our key.
    private var isLockedOut = false

    package init(budget: HourlyBudget, breaker: CircuitBreaker = CircuitBreaker()) {
        self.budget = budget
        self.breaker = breaker
    }

    /// Asks for a call; nil lets it through, and then `leave` must follow.
    package mutating func enter(_ purpose: HourlyBudget.Purpose, now: ContinuousClock.Instant) -> UpstreamError? {
        if case .refused(let retryAfter) = breaker.permit(now: now) { return .unavailable(retryAfter: retryAfter) }
        if case .refused(let retryAfter) = budget.spend(for: purpose, now: now) {
            breaker.abandoned(now: now)
            return .rateLimited(retryAfter: retryAfter)
        }
        return nil
    }

    /// Reports how a call ended, and what the library said of its limit.
    ///
    /// Gives the error as clients should hear it: for a refusal, with the time after which asking makes sense.
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

    /// How the library does.
    package var condition: CircuitBreaker.Condition { isLockedOut ? .down : breaker.condition }

    /// The time until background work is welcome; nil when it is.
    package mutating func refusesBackground(now: ContinuousClock.Instant) -> Duration? {
        budget.refusesBackground(now: now)
    }

    package var limit: Int { budget.limit }
    package mutating func remaining(now: ContinuousClock.Instant) -> Int { budget.remaining(now: now) }
    package mutating func untilReset(now: ContinuousClock.Instant) -> Duration { budget.untilReset(now: now) }
}
