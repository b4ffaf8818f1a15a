/// The state of the connection to an engine, and counters since the start.
package struct SharedStatus: Sendable, Equatable {
    /// Whether the engine accepts calls.
    package var isAvailable: Bool
    /// Whether it has accepted calls since the start of the process.
    package var hasConnected: Bool
    /// The time of the last change of `isAvailable`.
    package var since: ContinuousClock.Instant
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
        since: ContinuousClock.Instant,
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

extension SharedStatus {
    /// The status of several engines, of at least one: available if all are, and connected once if any was.
    ///
    /// `since` is the time of the last change if all are available, else the longest present absence. Counters are
    /// summed, and the latency is the mean of those that are known.
    package init(combining parts: [SharedStatus]) {
        let absences = parts.filter { !$0.isAvailable }.map(\.since)
        let latencies = parts.compactMap(\.latency)
        self.init(
            isAvailable: absences.isEmpty,
            hasConnected: parts.contains(where: \.hasConnected),
            since: absences.min() ?? parts.map(\.since).max() ?? .now,
            latency: latencies.isEmpty ? nil : latencies.reduce(.zero, +) / latencies.count,
            pending: parts.reduce(0) { $0 + $1.pending },
            commands: parts.reduce(0) { $0 + $1.commands },
            errors: parts.reduce(0) { $0 + $1.errors },
            reconnects: parts.reduce(0) { $0 + $1.reconnects }
        )
    }
}

/// The number of keys, and the memory of an engine.
package struct SharedUsage: Sendable, Hashable {
    /// The keys that are not auxiliary.
    package let keys: Int
    /// The bytes in use.
    package let bytes: Int
    /// The most bytes; nil for no limit.
    package let maxBytes: Int?
    /// The part of the memory that is in use; 0 without a limit.
    package let memoryShare: Double

    package init(keys: Int, bytes: Int, maxBytes: Int?) {
        let share = maxBytes.map { $0 > 0 ? Double(bytes) / Double($0) : 0 }
        self.init(keys: keys, bytes: bytes, maxBytes: maxBytes, memoryShare: share ?? 0)
    }

    private init(keys: Int, bytes: Int, maxBytes: Int?, memoryShare: Double) {
        self.keys = keys
        self.bytes = bytes
        self.maxBytes = maxBytes
        self.memoryShare = memoryShare
    }

    /// The usage of several engines: the memory share is that of the fullest one.
    package init(combining parts: [SharedUsage]) {
        let limits = parts.compactMap(\.maxBytes)
        self.init(
            keys: parts.reduce(0) { $0 + $1.keys },
            bytes: parts.reduce(0) { $0 + $1.bytes },
            maxBytes: limits.count == parts.count ? limits.reduce(0, +) : nil,
            memoryShare: parts.map(\.memoryShare).max() ?? 0
        )
    }
}
