/// A request for calls of the hour that all replicas share, with what the caller knows of this hour.
///
/// The store keeps the larger count. So it has the count again after it was emptied, in the same step.
package struct GrantRequest: Sendable, Hashable {
    /// The news about the limit of the library.
    package enum News: String, Sendable, Hashable {
        case none = ""
        /// The library refuses calls: none is granted in this hour.
        case refused = "out"
        /// A probe has found a new hour of the library: its count replaces that of the store.
        case renewed = "set"
    }

    /// The hour of the count, as the store has told it.
    package var hour: Int
    /// The calls of that hour.
    package var used: Int
    /// The number of renewals in that hour, as the store has told it.
    ///
    /// The count before a renewal says nothing.
    package var renewals: Int
    package var news: News
    /// The calls to grant: 0 for a report.
    package var wanted: Int
    /// The most calls of the hour.
    package var limit: Int
    /// The time for which a store without any count grants nothing.
    ///
    /// It was possibly emptied, and the replicas tell it what they know within this time.
    package var hold: Duration

    package init(
        hour: Int,
        used: Int,
        renewals: Int = 0,
        news: News = .none,
        wanted: Int,
        limit: Int,
        hold: Duration = .zero
    ) {
        self.hour = hour
        self.used = used
        self.renewals = renewals
        self.news = news
        self.wanted = wanted
        self.limit = limit
        self.hold = hold
    }
}

/// The answer to a request for calls: the state of the hour, which all replicas share.
package struct Grant: Sendable, Hashable {
    /// The calls that were granted.
    package let granted: Int
    /// The calls of this hour, with those that were granted.
    package let used: Int
    /// Whether the library has refused a call in this hour.
    package let isRefused: Bool
    /// The number of renewals in this hour.
    package let renewals: Int
    /// The number of the hour, by the clock of the store.
    package let hour: Int
    /// The seconds until the end of the hour.
    package let secondsLeft: Int

    /// The time for which the store grants nothing, because it had no count.
    package let hold: Duration

    package init(
        granted: Int,
        used: Int,
        isRefused: Bool,
        renewals: Int,
        hour: Int,
        secondsLeft: Int,
        hold: Duration = .zero
    ) {
        self.granted = granted
        self.used = used
        self.isRefused = isRefused
        self.renewals = renewals
        self.hour = hour
        self.secondsLeft = secondsLeft
        self.hold = hold
    }

    /// The largest number of an hour: that of the year 9999.
    package static let lastHour = 253_402_300_799 / 3600
    /// The largest count of calls.
    package static let mostCalls = 1 << 31
}
