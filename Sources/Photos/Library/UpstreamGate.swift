import Primitives

/// The circuit breaker and the hourly budget, by which calls of the library are admitted.
struct UpstreamGate: Sendable {
    var budget: HourlyBudget
    var breaker = CircuitBreaker()
    /// Whether the library has refused the key.
    private(set) var isLockedOut = false

    /// Reports the end of a call, and the library's count; returns the error for clients, with the time until a probe.
    @discardableResult
    mutating func leave(_ error: UpstreamError?, remainingCalls: Int?, now: Instant) -> UpstreamError? {
        let evidence = error?.evidence ?? .answer
        breaker.record(evidence, now: now)
        guard evidence == .answer else { return error }
        isLockedOut = error == .credentials
        if case .rateLimited = error {
            budget.refused(now: now)
            return .rateLimited(retryAfter: min(HourlyBudget.probeInterval, budget.untilReset(now: now)))
        }
        if let remainingCalls, error != .credentials { budget.observe(remaining: remainingCalls, now: now) }
        return error
    }

    /// Asks the breaker alone; a call that it admits must be followed by `leave`, or by the breaker's `record`.
    mutating func permit(now: Instant) -> UpstreamError? {
        breaker.permit(now: now).map { .unavailable(retryAfter: $0) }
    }

    var condition: CircuitBreaker.Condition { isLockedOut ? .down : breaker.condition }
}
