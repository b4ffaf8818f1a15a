import Primitives

/// Counts the calls that the library allows in a clock hour, so that it does not have to refuse any.
///
/// The library's count (`X-Ratelimit-Remaining`) corrects this one only downwards: its edge repeats stored values. A
/// share is reserved for requests of clients; revalidation and prefetch may not use it. If the library's limit is
/// exhausted, one probe a minute finds the end of its hour, which is not documented. A configured limit below the
/// library's holds until the end of the hour, without probes.
struct HourlyBudget: Sendable {
    enum Purpose: Sendable {
        /// A client waits for the answer.
        case client
        /// Revalidation and prefetch.
        case background
    }

    /// The calls of an hour, and whether the library has refused one: then none is left.
    struct Count: Sendable {
        var used = 0
        var isRefused = false
    }

    let limit: Int
    private var count = Count()
    private var hourEnds: Instant
    /// The least count of the library in this hour; nil before the first.
    private var leastRemaining: Int?
    private var nextProbe: Instant
    /// Whether a probe is running: only its answer shows that a new hour of the library has begun.
    private var isProbing = false
    private var isShared = false

    private static let hour = Duration.seconds(3600)
    static let probeInterval = Duration.seconds(60)

    /// Allows `limit` calls an hour, at least 1; the first hour ends at `hourEnds`.
    init(limit: Int, hourEnds: Instant) {
        precondition(limit >= 1)
        self.limit = limit
        self.hourEnds = hourEnds
        nextProbe = hourEnds
    }

    /// The most calls of the hour for a purpose: four fifths are reserved for requests of clients.
    func limit(for purpose: Purpose) -> Int { purpose == .client ? limit : limit - limit * 4 / 5 }

    /// Takes a call from the budget; if none remains, returns the time after which one may be allowed.
    mutating func spend(for purpose: Purpose, now: Instant) -> Duration? {
        roll(to: now)
        if isUsedUp {
            if let wait = waitForProbe(purpose, now: now) { return wait }
            beginProbe(now: now)
            return nil
        }
        if count.used >= limit(for: purpose) { return hourEnds - now }
        set(Count(used: count.used + 1), now: now)
        return nil
    }

    /// Returns the wait of a call for which none is left; nil if it may probe for a new hour of the library.
    mutating func waitForProbe(_ purpose: Purpose, now: Instant) -> Duration? {
        roll(to: now)
        guard isUsedUp, isProbed else { return hourEnds - now }
        guard purpose == .client, now >= nextProbe else { return max(.seconds(1), min(hourEnds, nextProbe) - now) }
        return nil
    }

    /// Begins a probe: the next one follows after a minute.
    mutating func beginProbe(now: Instant) {
        nextProbe = now + HourlyBudget.probeInterval
        isProbing = true
    }

    /// Adopts the state of an hour that several replicas share.
    mutating func adopt(used: Int, isRefused: Bool, hourEnds: Instant, now: Instant) {
        roll(to: now)
        isShared = true
        let shift = hourEnds - self.hourEnds
        if shift > HourlyBudget.hour / 2 || shift < .zero - HourlyBudget.hour / 2 {
            leastRemaining = nil
            nextProbe = hourEnds
        }
        self.hourEnds = hourEnds
        set(Count(used: used, isRefused: isRefused), now: now)
        if !isUsedUp { isProbing = false }
    }

    /// The time until background work is allowed; nil if it is now.
    mutating func refusesBackground(now: Instant) -> Duration? {
        roll(to: now)
        return isUsedUp || count.used >= limit(for: .background) ? hourEnds - now : nil
    }

    /// Records the count in an answer of the library.
    mutating func observe(remaining: Int, now: Instant) {
        roll(to: now)
        let counted = limit - min(limit, max(0, remaining))
        if isProbing, remaining > leastRemaining ?? 0 {
            // A new hour of the library has begun, at another time than the budget's hour.
            isProbing = false
            leastRemaining = remaining
            count = Count(used: max(1, counted))
            return
        }
        leastRemaining = min(leastRemaining ?? remaining, remaining)
        set(Count(used: max(count.used, counted), isRefused: count.isRefused), now: now)
    }

    mutating func refused(now: Instant) {
        roll(to: now)
        count.isRefused = true
        isProbing = false
        leastRemaining = 0
        nextProbe = now + HourlyBudget.probeInterval
    }

    mutating func remaining(now: Instant) -> Int {
        roll(to: now)
        return isUsedUp ? 0 : limit - count.used
    }

    mutating func untilReset(now: Instant) -> Duration {
        roll(to: now)
        return hourEnds - now
    }

    /// The calls of this hour, as far as is known.
    mutating func known(now: Instant) -> Count {
        roll(to: now)
        return count
    }

    private var isUsedUp: Bool { count.isRefused || count.used >= limit }

    /// Whether the library's limit is exhausted, as far as is known, and not only the configured one.
    ///
    /// Without any count of the library it possibly is. Of replicas that share the count, another one possibly knows better.
    private var isProbed: Bool { count.isRefused || leastRemaining ?? (isShared ? 1 : 0) <= 0 }

    /// Sets the count; when the last call is used, the first probe follows after a minute.
    private mutating func set(_ new: Count, now: Instant) {
        let wasUsedUp = isUsedUp
        count = new
        if isUsedUp, !wasUsedUp { nextProbe = now + HourlyBudget.probeInterval }
    }

    private mutating func roll(to now: Instant) {
        guard now >= hourEnds else { return }
        hourEnds += HourlyBudget.hour * ((now - hourEnds).components.seconds / 3600 + 1)
        count = Count()
        leastRemaining = nil
        isProbing = false
    }
}
