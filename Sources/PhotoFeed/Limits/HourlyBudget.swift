package import Primitives

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

    /// What a replica knows of an hour.
    package struct Known: Sendable, Equatable {
        package let used: Int
        package let isRefused: Bool
    }

    package let limit: Int
    /// The calls that only requests of clients may use.
    private let reservedForClients: Int
    private(set) var used = 0
    private(set) var hourEnds: Instant
    /// Whether the library has refused a call in this hour.
    private(set) var isRefused = false
    /// The least count of the library in this hour; nil before the first.
    private(set) var leastRemaining: Int?
    private(set) var nextProbe: Instant
    /// Whether a probe is running: only its answer shows that a new hour of the library has begun.
    private(set) var isProbing = false
    /// Whether several replicas share the count.
    private var isShared = false

    private static let hour = Duration.seconds(3600)
    package static let probeInterval = Duration.seconds(60)

    /// Allows `limit` calls an hour, at least 1; the first hour ends at `hourEnds`.
    package init(limit: Int, hourEnds: Instant) {
        precondition(limit >= 1)
        self.limit = limit
        reservedForClients = limit * 4 / 5
        self.hourEnds = hourEnds
        nextProbe = hourEnds
    }

    /// Takes a call from the budget; if none remains, returns the time after which one may be allowed.
    package mutating func spend(for purpose: Purpose, now: Instant) -> Duration? {
        roll(to: now)
        if isUsedUp {
            if case .refused(let retryAfter) = denied(purpose, now: now) { return retryAfter }
            beginProbe(now: now)
            return nil
        }
        if used >= limit(for: purpose) { return hourEnds - now }
        used += 1
        if isUsedUp { nextProbe = now + HourlyBudget.probeInterval }
        return nil
    }

    /// The most calls of the hour for a purpose.
    package func limit(for purpose: Purpose) -> Int { purpose == .client ? limit : limit - reservedForClients }

    /// The way of a call for which no call is left.
    package enum Denial: Sendable, Equatable {
        case refused(retryAfter: Duration)
        /// The call may find out whether a new hour of the library has begun.
        case probe
    }

    /// Returns the way of a call for which no call is left.
    package mutating func denied(_ purpose: Purpose, now: Instant) -> Denial {
        roll(to: now)
        guard isUsedUp, isProbed else { return .refused(retryAfter: hourEnds - now) }
        guard purpose == .client, now >= nextProbe else { return .refused(retryAfter: untilProbe(at: now)) }
        return .probe
    }

    /// Begins a probe: the next one follows after a minute.
    package mutating func beginProbe(now: Instant) {
        nextProbe = now + HourlyBudget.probeInterval
        isProbing = true
    }

    /// Adopts the state of an hour that several replicas share.
    package mutating func adopt(used: Int, isRefused: Bool, hourEnds: Instant, now: Instant) {
        roll(to: now)
        isShared = true
        let shift = hourEnds - self.hourEnds
        if shift > HourlyBudget.hour / 2 || shift < .zero - HourlyBudget.hour / 2 {
            leastRemaining = nil
            nextProbe = hourEnds
        }
        let wasUsedUp = isUsedUp
        self.hourEnds = hourEnds
        self.used = used
        self.isRefused = isRefused
        if !isUsedUp { isProbing = false }
        if isUsedUp, !wasUsedUp { nextProbe = now + HourlyBudget.probeInterval }
    }

    /// The time until background work is allowed; nil if it is now.
    package mutating func refusesBackground(now: Instant) -> Duration? {
        roll(to: now)
        return isUsedUp || used >= limit - reservedForClients ? hourEnds - now : nil
    }

    /// Records the count in an answer of the library.
    package mutating func observe(remaining: Int, now: Instant) {
        roll(to: now)
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

    /// Records that the library has refused a call.
    package mutating func refused(now: Instant) {
        roll(to: now)
        isRefused = true
        isProbing = false
        leastRemaining = 0
        nextProbe = now + HourlyBudget.probeInterval
    }

    /// The calls left in this hour.
    package mutating func remaining(now: Instant) -> Int {
        roll(to: now)
        return isUsedUp ? 0 : limit - used
    }

    /// The time until the hour ends.
    package mutating func untilReset(now: Instant) -> Duration {
        roll(to: now)
        return hourEnds - now
    }

    /// The calls of this hour, and whether the library has refused one.
    package mutating func known(now: Instant) -> Known {
        roll(to: now)
        return Known(used: used, isRefused: isRefused)
    }

    private var isUsedUp: Bool { isRefused || used >= limit }

    /// Whether the library's limit is exhausted, as far as is known, and not only the configured one.
    ///
    /// Without any count of the library it possibly is. Of replicas that share the count, another one possibly knows better.
    private var isProbed: Bool { isRefused || leastRemaining ?? (isShared ? 1 : 0) <= 0 }

    /// The time until the next probe, at least a second.
    private func untilProbe(at now: Instant) -> Duration {
        max(.seconds(1), min(hourEnds, nextProbe) - now)
    }

    private mutating func roll(to now: Instant) {
        guard now >= hourEnds else { return }
        hourEnds += HourlyBudget.hour * ((now - hourEnds).components.seconds / 3600 + 1)
        used = 0
        isRefused = false
        leastRemaining = nil
        isProbing = false
    }
}
