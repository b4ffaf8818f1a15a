package import Primitives

/// The state of the connection for commands, and counters since the start.
package struct RedisStatus: Sendable, Equatable {

    /// Whether commands are accepted.
    package private(set) var isReady: Bool
    /// The time of the last change of `isReady`.
    package private(set) var since: Instant
    /// The last failure of a connection; nil while it is usable.
    package private(set) var failure: ConnectionFailure?
    /// The commands that count for the limits: they wait for their replies.
    package internal(set) var pending = 0
    /// The commands that were accepted.
    package internal(set) var commands = 0
    /// The commands that were refused, failed or got an error as reply.
    package internal(set) var errors = 0
    /// The connections after the first one.
    package private(set) var reconnects = 0
    /// The moving mean of the time from a command to its reply; nil before the first reply.
    package private(set) var latency: Duration?
    /// Whether a connection was usable once.
    package private(set) var hasConnected = false
    private var wasReady = false

    /// The weight of one reply in the mean.
    private static let latencyWeight = 16

    init(isReady: Bool, since: Instant) {
        self.isReady = isReady
        self.since = since
    }

    /// Notes a state of the connections.
    mutating func note(_ health: ClientHealth) {
        if health.isReady != isReady { since = .now }
        if health.isReady, !isReady, wasReady { reconnects += 1 }
        isReady = health.isReady
        wasReady = wasReady || isReady
        hasConnected = hasConnected || health.isAccepting
        failure = isReady ? nil : health.failure ?? failure
    }

    mutating func note(_ ended: CommandQueue.Ended, now: Instant) {
        if case .failure = ended.result { errors += 1 }
        guard ended.hasReply else { return }
        let time = now - ended.job.submitted
        latency = latency.map { $0 + (time - $0) / Self.latencyWeight } ?? time
    }
}
