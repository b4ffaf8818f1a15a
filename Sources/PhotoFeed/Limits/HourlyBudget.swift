/// Counts the calls that the library allows in a clock hour, so that it does not have to refuse any.
///
/// The library's count (`X-Ratelimit-Remaining`) corrects this one only downwards: its edge repeats stored values. A
/// share is reserved for requests of clients; revalidation and prefetch may not use it. If the library's limit is
/// exhausted, one probe a minute finds the end of its hour, which is not documented. A configured limit below the
/// library's holds until the end of the hour, without probes.
package struct HourlyBudget: Sendable {
    /// The reason for a call.
    package enum Purpose: Sendable {
        /// A client waits for the answer.
        case client
        /// Revalidation and prefetch.
        case background
    }

    package enum Verdict: Sendable, Equatable {
        case granted
        /// The time after which a call may be allowed.
        case refused(retryAfter: Duration)
    }

    package let limit: Int
    /// The calls that only requests of clients may use.
    private let reservedForClients: Int
    private(set) var used = 0
    private(set) var hourEnds: ContinuousClock.Instant
    /// Whether the library has refused a call in this hour.
    private(set) var isRefused = false
    /// The least count of the library in this hour; nil before the first.
    private(set) var leastRemaining: Int?
    private(set) var nextProbe: ContinuousClock.Instant
    /// Whether a probe is running: only its answer shows that a new hour of the library has begun.
    private(set) var isProbing = false

    private static let hour = Duration.seconds(3600)
    package static let probeInterval = Duration.seconds(60)

    /// Allows `limit` calls an hour, at least 1; the first hour ends at `hourEnds`.
    package init(limit: Int, hourEnds: ContinuousClock.Instant) {
        precondition(limit >= 1)
        self.limit = limit
        reservedForClients = limit * 4 / 5
        self.hourEnds = hourEnds
        nextProbe = hourEnds
    }

    /// Restores a budget of which `used` calls, at least 0, were made.
    init(
        limit: Int,
        used: Int,
        hourEnds: ContinuousClock.Instant,
        isRefused: Bool,
        leastRemaining: Int?,
        nextProbe: ContinuousClock.Instant,
        isProbing: Bool
    ) {
        self.init(limit: limit, hourEnds: hourEnds)
        self.used = used
        self.isRefused = isRefused
        self.leastRemaining = leastRemaining
        self.nextProbe = nextProbe
        self.isProbing = isProbing
    }

    /// Takes a call from the budget if one remains.
    package mutating func spend(for purpose: Purpose, now: ContinuousClock.Instant) -> Verdict {
        roll(now)
        if isUsedUp {
            guard isProbed else { return .refused(retryAfter: hourEnds - now) }
            guard purpose == .client, now >= nextProbe else { return .refused(retryAfter: untilProbe(now)) }
            nextProbe = now + HourlyBudget.probeInterval
            isProbing = true
            return .granted
        }
        if purpose == .background, used >= limit - reservedForClients { return .refused(retryAfter: hourEnds - now) }
        used += 1
        if isUsedUp { nextProbe = now + HourlyBudget.probeInterval }
        return .granted
    }

    /// The time until background work is allowed; nil if it is now.
    package mutating func refusesBackground(now: ContinuousClock.Instant) -> Duration? {
        roll(now)
        return isUsedUp || used >= limit - reservedForClients ? hourEnds - now : nil
    }

    /// Notes the count in an answer of the library.
    package mutating func observe(remaining: Int, now: ContinuousClock.Instant) {
        roll(now)
        let counted = limit - min(limit, max(0, remaining))
        if isProbing, remaining > leastRemaining ?? 0 {
            // A new hour of the library has begun, at another time than the budget's hour.
            isProbing = false
            isRefused = false
            leastRemaining = remaining
            used = max(1, counted)
            return
        }
        leastRemaining = min(leastRemaining ?? remaining, remaining)
        let wasUsedUp = isUsedUp
        used = max(used, counted)
        if isUsedUp, !wasUsedUp { nextProbe = now + HourlyBudget.probeInterval }
    }

    /// Notes that the library has refused a call.
    package mutating func refused(now: ContinuousClock.Instant) {
        roll(now)
        isRefused = true
        isProbing = false
        leastRemaining = 0
        nextProbe = now + HourlyBudget.probeInterval
    }

    /// The calls left in this hour.
    package mutating func remaining(now: ContinuousClock.Instant) -> Int {
        roll(now)
        return isUsedUp ? 0 : limit - used
    }

    /// The time until the hour ends.
    package mutating func untilReset(now: ContinuousClock.Instant) -> Duration {
        roll(now)
        return hourEnds - now
    }

    /// The start of this hour.
    mutating func hourBegan(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        roll(now)
        return hourEnds - HourlyBudget.hour
    }

    /// Merges another state of the same hour: the greater count, the library's lower count, and its refusal.
    ///
    /// Of two different hours the later one counts.
    mutating func restrict(by known: HourlyBudget) {
        guard known.hourEnds == hourEnds else {
            if known.hourEnds > hourEnds { self = known }
            return
        }
        used = max(used, known.used)
        isRefused = isRefused || known.isRefused
        leastRemaining = [leastRemaining, known.leastRemaining].compactMap(\.self).min()
        nextProbe = max(nextProbe, known.nextProbe)
    }

    /// Moves times that are too far in the future, which a clock that was put back leaves behind.
    ///
    /// The hour ends at most an hour from now. A minute more is left alone: the clocks of replicas differ a little.
    mutating func bound(now: ContinuousClock.Instant) {
        let left = hourEnds - now
        if left > HourlyBudget.hour + .seconds(60) { hourEnds -= HourlyBudget.hour * (left.components.seconds / 3600) }
        nextProbe = min(nextProbe, max(hourEnds, now + HourlyBudget.probeInterval))
    }

    private var isUsedUp: Bool { isRefused || used >= limit }

    /// Whether the library's limit is exhausted, as far as is known, and not only the configured one.
    private var isProbed: Bool { isRefused || leastRemaining ?? 0 <= 0 }

    /// The time until the next probe, at least a second.
    private func untilProbe(_ now: ContinuousClock.Instant) -> Duration {
        max(.seconds(1), min(hourEnds, nextProbe) - now)
    }

    private mutating func roll(_ now: ContinuousClock.Instant) {
        guard now >= hourEnds else { return }
        hourEnds += HourlyBudget.hour * ((now - hourEnds).components.seconds / 3600 + 1)
        used = 0
        isRefused = false
        leastRemaining = nil
        isProbing = false
    }
}
