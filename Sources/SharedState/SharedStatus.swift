package import Primitives

/// The state of the connection to a store, and counters since the start.
package struct SharedStatus: Sendable, Equatable {
    package var isAvailable: Bool
    /// Whether it has accepted calls since the start of the process.
    package var hasConnected: Bool
    /// The time of the last change of `isAvailable`.
    package var since: Instant
    /// The mean time from a call to its reply; nil before the first reply.
    package var latency: Duration?
    /// The calls that wait for a reply.
    package var pending = 0
    /// The calls that were sent.
    package var commands = 0
    /// The calls that ended with an error.
    package var errors = 0
    /// The connections after the first one.
    package var reconnects = 0

    package init(isAvailable: Bool, hasConnected: Bool = true, since: Instant) {
        self.isAvailable = isAvailable
        self.hasConnected = hasConnected
        self.since = since
    }
}
