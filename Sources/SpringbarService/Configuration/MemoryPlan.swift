/// How the service shares out the memory that its container allows.
///
/// Each part has a setting of its own. In a container these are lowered so that all of them together, with some 40 MB for
/// the process itself, fit into the container's limit: a part that is full refuses work, where a container that is full
/// is killed with everybody's bars. With a limit of 256 MiB, as in compose.yaml:
///
/// | part | share | bytes |
/// |---|---|---|
/// | image cache | a quarter | 64 MiB |
/// | what is in flight (`MemoryBudget`) | a quarter | 64 MiB |
/// | bars and their logs | an eighth | 32 MiB |
/// | connections, at about 32 KiB each | an eighth | 32 MiB, 1024 connections |
/// | the process, its libraries and the allocator's slack | the rest | 64 MiB |
package struct MemoryPlan: Sendable, Equatable {
    package let imageCacheBytes: Int
    package let inFlightBytes: Int
    package let sessionBytes: Int
    package let maxConnections: Int
    /// The settings that were lowered, in the order of the table.
    package let lowered: [Setting]

    /// What an open connection takes at most: the library's 16 KiB, our objects, and what the allocator adds.
    package static let bytesPerConnection = 32 << 10

    /// The plan for the settings under a limit in bytes; nil for no limit.
    package init(_ configuration: Configuration, limit: Int? = MemoryLimit.current) {
        var lowered: [Setting] = []
        func fitted(_ setting: Setting, _ wanted: Int, _ most: Int?) -> Int {
            guard let most, most < wanted else { return wanted }
            lowered.append(setting)
            return most
        }
        imageCacheBytes = fitted(.imageCacheBytes, configuration.imageCacheBytes, limit.map { $0 / 4 })
        inFlightBytes = fitted(.memoryBytes, configuration.memoryBytes, limit.map { $0 / 4 })
        sessionBytes = fitted(.sessionBytes, configuration.sessionBytes, limit.map { $0 / 8 })
        maxConnections = fitted(
            .maxConnections,
            configuration.maxConnections,
            limit.map { max(16, $0 / 8 / MemoryPlan.bytesPerConnection) }
        )
        self.lowered = lowered
    }

    /// The most connections of one client, in proportion to the connections that there are.
    ///
    /// The share is a part of all connections, so it shrinks with them: where memory or descriptors allow a quarter of
    /// the connections that were asked for, a client has a quarter of its share. `connections` are those that there
    /// really are; `configuration` has the share and what was asked for.
    package static func connectionsPerClient(_ configuration: Configuration, of connections: Int) -> Int {
        let share = configuration.maxConnectionsPerClient
        guard share > 0, connections < configuration.maxConnections else { return share }
        return max(1, share * connections / configuration.maxConnections)
    }

    /// What holds for a setting of the plan; nil for other settings.
    package func value(of setting: Setting) -> Int? {
        switch setting {
        case .imageCacheBytes: imageCacheBytes
        case .memoryBytes: inFlightBytes
        case .sessionBytes: sessionBytes
        case .maxConnections: maxConnections
        default: nil
        }
    }
}

/// How much memory the container allows this process, for caches that must fit.
package enum MemoryLimit {
    /// The limit in bytes; nil when there is none (cgroup v2 first, then v1).
    package static var current: Int? {
        ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
            .lazy
            .compactMap { bytes(in: ProcessUsage.contents(of: $0)) }
            .first
    }

    /// `max` and absurdly large numbers, which is how version 1 says it, mean no limit.
    static func bytes(in text: String) -> Int? {
        guard let bytes = Int(text.prefix { $0.isNumber }), bytes > 0, bytes < 1 << 50 else { return nil }
        return bytes
    }
}
