/// The distribution of the container's memory over the parts of the service.
///
/// Each part has a setting. In a container the settings are lowered so that their sum, and about 40 MB for the process,
/// fit into the container's limit. A part that is full refuses work; a container that is full is killed with all its
/// bars. With a limit of 256 MiB, as in compose.yaml:
///
/// | part | share | bytes |
/// |---|---|---|
/// | image cache | a quarter | 64 MiB |
/// | requests and answers in flight (`MemoryBudget`) | a quarter | 64 MiB |
/// | bars and their logs | an eighth | 32 MiB |
/// | connections, at about 32 KiB each | an eighth | 32 MiB, 1024 connections |
/// | the process, its libraries and the allocator's slack | the rest | 64 MiB |
package struct MemoryPlan: Sendable {
    /// A setting that was lowered, and the value in use.
    package typealias Lowered = (variable: String, value: Int)

    package let imageCacheBytes: Int
    package let inFlightBytes: Int
    package let sessionBytes: Int
    package let maxConnections: Int
    package let lowered: [Lowered]

    /// The most memory of an open connection: the library's 16 KiB, objects, and the allocator's overhead.
    package static let bytesPerConnection = 32 << 10

    /// Lowers the settings to the container's limit in bytes; nil for none.
    package init(_ configuration: Configuration, limit: Int? = MemoryLimit.current) {
        var lowered: [Lowered] = []
        func fitted(_ variable: String, _ wanted: Int, _ most: Int?) -> Int {
            guard let most, most < wanted else { return wanted }
            lowered.append((variable, most))
            return most
        }
        let (server, photos, bars) = (configuration.server, configuration.photos, configuration.bars)
        imageCacheBytes = fitted("SPRINGBAR_IMAGE_CACHE_BYTES", photos.imageCacheBytes, limit.map { $0 / 4 })
        inFlightBytes = fitted("SPRINGBAR_MEMORY_BYTES", server.memoryBytes, limit.map { $0 / 4 })
        sessionBytes = fitted("SPRINGBAR_SESSION_BYTES", bars.sessionBytes, limit.map { $0 / 8 })
        let connections = limit.map { max(16, $0 / 8 / MemoryPlan.bytesPerConnection) }
        maxConnections = fitted("SPRINGBAR_MAX_CONNECTIONS", server.maxConnections, connections)
        self.lowered = lowered
    }

    /// Returns the limit of connections of one client, in proportion to the available ones; 0 for none.
    package static func connectionsPerClient(_ settings: Configuration.Server, of connections: Int) -> Int {
        let share = settings.maxConnectionsPerClient
        guard share > 0, connections < settings.maxConnections else { return share }
        return max(1, share * connections / settings.maxConnections)
    }
}
