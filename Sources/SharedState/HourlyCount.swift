/// The calls of an hour that replicas make together, as one of them or the store knows them.
package struct HourlyCount: Sendable, Hashable {
    /// The number of the hour, by the clock of the store; 0 before its first reply.
    package var hour: Int
    package var used: Int

    package init(hour: Int = 0, used: Int = 0) {
        self.hour = hour
        self.used = used
    }
}

/// The store's reply to a replica that wants to make a call.
package struct CountedCall: Sendable, Hashable {
    /// Whether the call was counted and may be made.
    package let isAllowed: Bool
    /// The calls of the hour, with this one.
    package let count: HourlyCount
    package let secondsLeft: Int

    package init(isAllowed: Bool, count: HourlyCount, secondsLeft: Int) {
        self.isAllowed = isAllowed
        self.count = count
        self.secondsLeft = secondsLeft
    }
}
