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
    package mutating func denied(_ purpose: HourlyBudget.Purpose, now: Instant) -> HourlyBudget.Denial {
        budget.denied(purpose, now: now)
    }

    package mutating func beginProbe(now: Instant) {
        budget.beginProbe(now: now)
    }

    /// Adopts the state of an hour that several replicas share.
    package mutating func adopt(used: Int, isRefused: Bool, hourEnds: Instant, now: Instant) {
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
