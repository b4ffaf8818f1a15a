package import Primitives

/// The state of the connection to a store, and counters since the start.
package struct SharedStatus: Sendable, Equatable {
    /// Whether the store accepts calls.
    package var isAvailable: Bool
    /// Whether it has accepted calls since the start of the process.
    package var hasConnected: Bool
    /// The time of the last change of `isAvailable`.
    package var since: Instant
    /// The mean time from a call to its reply; nil before the first reply.
    package var latency: Duration?
    /// The calls that wait for a reply.
    package var pending: Int
    /// The calls that were sent.
    package var commands: Int
    /// The calls that ended with an error.
    package var errors: Int
    /// The connections after the first one.
    package var reconnects: Int

    package init(
        isAvailable: Bool,
        hasConnected: Bool = true,
        since: Instant,
        latency: Duration? = nil,
        pending: Int = 0,
        commands: Int = 0,
        errors: Int = 0,
        reconnects: Int = 0
    ) {
        self.isAvailable = isAvailable
        self.hasConnected = hasConnected
        self.since = since
        self.latency = latency
        self.pending = pending
        self.commands = commands
        self.errors = errors
        self.reconnects = reconnects
    }
}
