/// The calls of an hour that all replicas share, as a replica or the store knows them.
package struct HourlyCount: Sendable, Hashable {
    /// The number of the hour, by the clock of the store.
    package var hour: Int
    /// The number of renewals: a probe has found a new hour of the library.
    ///
    /// The count before a renewal says nothing.
    package var renewals: Int
    /// The calls of the hour.
    package var used: Int
    /// Whether the library has refused a call in this hour: none is granted then.
    package var isRefused: Bool

    package init(hour: Int = 0, renewals: Int = 0, used: Int = 0, isRefused: Bool = false) {
        self.hour = hour
        self.renewals = renewals
        self.used = used
        self.isRefused = isRefused
    }

    /// The largest number of an hour: that of the year 9999.
    package static let lastHour = 253_402_300_799 / 3600
    /// The largest count of calls.
    package static let mostCalls = 1 << 31
}

/// A request for calls of this hour, with what the caller knows of it.
///
/// The store keeps the larger count. So it has the count again after it was emptied, in the same step.
package struct GrantRequest: Sendable, Hashable {
    package var known: HourlyCount
    /// Whether the known count is that of a new hour of the library, and replaces that of the store.
    package var isRenewal = false
    /// The calls to grant: 0 for a report.
    package var wanted: Int
    /// The most calls of the hour.
    package var limit: Int
    /// The time for which a store without any count grants nothing.
    ///
    /// It was possibly emptied, and the replicas report what they know within this time.
    package var hold = Duration.zero

    package init(known: HourlyCount = HourlyCount(), wanted: Int, limit: Int) {
        self.known = known
        self.wanted = wanted
        self.limit = limit
    }
}

/// The answer to a request for calls.
package struct Grant: Sendable, Hashable {
    /// The calls that were granted.
    package let granted: Int
    /// The state of the hour, with these calls.
    package let count: HourlyCount
    /// The seconds until the end of the hour.
    package let secondsLeft: Int
    /// The time for which the store grants nothing, because it had no count.
    package let hold: Duration

    package init(granted: Int, count: HourlyCount, secondsLeft: Int, hold: Duration) {
        self.granted = granted
        self.count = count
        self.secondsLeft = secondsLeft
        self.hold = hold
    }
}
