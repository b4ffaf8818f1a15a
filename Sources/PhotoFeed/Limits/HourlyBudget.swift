/// Our own count of the calls that the library allows in a clock hour, so that it never has to refuse one.
///
/// The library's count (`X-Ratelimit-Remaining`) corrects ours downwards only: its edge repeats stored values. A part
/// is kept for people; what nobody waits for, revalidation and prefetch, may not touch it. When the library's hour is
/// used up, one probe a minute finds out whether it is over, because nobody has ever documented when it ends. A limit
/// below the library's is ours alone: it is kept to the end of our hour, and nothing is probed.
package struct HourlyBudget: Sendable {
    /// Who asks.
    package enum Purpose: Sendable {
        /// Somebody waits for the answer.
        case people
        /// Revalidation and prefetch.
        case background
    }

    package enum Verdict: Sendable, Equatable {
        case granted
        /// Ask again after this time; never longer than until the next probe.
        case refused(retryAfter: Duration)
    }

    package let limit: Int
    /// Calls that background work leaves untouched.
    private let keptForPeople: Int
    private var used = 0
    private var hourEnds: ContinuousClock.Instant
    /// Set while the library says that the limit is used up.
    private var isRefused = false
    /// The least count of the library's in this hour; nil while it has not told one.
    private var leastRemaining: Int?
    private var nextProbe: ContinuousClock.Instant
    /// Whether a probe is under way: only its answer can say that the library's hour has begun anew.
    ///
    /// That of a call from before says no more than that its hour was not over then.
    private var isProbing = false

    private static let hour = Duration.seconds(3600)
    package static let probeInterval = Duration.seconds(60)

    /// A budget of `limit` calls an hour, at least 1, whose first hour ends at the wall clock's next full one.
    package init(limit: Int, hourEnds: ContinuousClock.Instant) {
        precondition(limit >= 1)
        self.limit = limit
        keptForPeople = limit * 4 / 5
        self.hourEnds = hourEnds
        nextProbe = hourEnds
    }

    /// Spends a call, if there is one to spend.
    package mutating func spend(for purpose: Purpose, now: ContinuousClock.Instant) -> Verdict {
        roll(now)
        if isUsedUp {
            guard isProbed else { return .refused(retryAfter: hourEnds - now) }
            guard purpose == .people, now >= nextProbe else { return .refused(retryAfter: untilProbe(now)) }
            nextProbe = now + HourlyBudget.probeInterval
            isProbing = true
            return .granted
        }
        if purpose == .background, used >= limit - keptForPeople { return .refused(retryAfter: hourEnds - now) }
        used += 1
        if isUsedUp { nextProbe = now + HourlyBudget.probeInterval }
        return .granted
    }

    /// Whether background work would be let through now; nil means yes, else the time until it is.
    package mutating func refusesBackground(now: ContinuousClock.Instant) -> Duration? {
        roll(now)
        return isUsedUp || used >= limit - keptForPeople ? hourEnds - now : nil
    }

    /// The library answered a call with its own count.
    package mutating func observe(remaining: Int, now: ContinuousClock.Instant) {
        roll(now)
        let counted = limit - min(limit, max(0, remaining))
        if isProbing, remaining > leastRemaining ?? 0 {
            // The library's hour is not ours, it has begun anew, and its count is the one that refuses.
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

    /// The library refused a call.
    package mutating func refused(now: ContinuousClock.Instant) {
        roll(now)
        isRefused = true
        isProbing = false
        leastRemaining = 0
        nextProbe = now + HourlyBudget.probeInterval
    }

    /// Calls left in this hour.
    package mutating func remaining(now: ContinuousClock.Instant) -> Int {
        roll(now)
        return isUsedUp ? 0 : limit - used
    }

    /// The time until the hour ends.
    package mutating func untilReset(now: ContinuousClock.Instant) -> Duration {
        roll(now)
        return hourEnds - now
    }

    private var isUsedUp: Bool { isRefused || used >= limit }

    /// Whether the library's own limit is the one that is used up, as far as it has told.
    private var isProbed: Bool { isRefused || leastRemaining ?? 0 <= 0 }

    /// The time until asking again makes sense, a second at least.
    private func untilProbe(_ now: ContinuousClock.Instant) -> Duration {
        max(.seconds(1), min(hourEnds, nextProbe) - now)
    }

    private mutating func roll(_ now: ContinuousClock.Instant) {
        guard now >= hourEnds else { return }
        while now >= hourEnds { hourEnds += HourlyBudget.hour }
        used = 0
        isRefused = false
        leastRemaining = nil
        isProbing = false
    }
}
