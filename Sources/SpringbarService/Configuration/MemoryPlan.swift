/// The distribution of the container's memory over the parts of the service.
///
/// Each part has a limit. In a container the limits are lowered so that their sum, and about 32 MiB for the process, fit into
/// the container's limit. A part that is full refuses work; a container that is full is killed with all its bars. With a
/// limit of 256 MiB, as in compose.yaml:
///
/// | part | share | bytes |
/// |---|---|---|
/// | image cache | 3/16 | 48 MiB |
/// | requests and answers in flight (`MemoryBudget`) | 4/16 | 64 MiB |
/// | bars and their logs | 2/16 | 32 MiB |
/// | connections, at 96 KiB each | 3/16 | 48 MiB, 512 connections |
/// | caches of answers: one half for motion, one for photos | 1/16 | 16 MiB |
/// | JSON that is read: nine times the largest content, for each worker | 1/16 | 16 MiB, 7 workers |
/// | the process, its libraries and the allocator's slack | the rest | 32 MiB |
///
/// The kernel's buffers of a connection count too: in a control group they are part of the container's memory, and a client
/// that neither reads nor stops sending fills both. Linux allocates twice the size that is set (socket(7), SO_SNDBUF).
package struct MemoryPlan: Sendable {
    /// A setting that was lowered, and the value in use.
    package typealias Lowered = (variable: String, value: Int)

    package let imageCacheBytes: Int
    package let inFlightBytes: Int
    package let sessionBytes: Int
    package let maxConnections: Int
    package let maxBodyBytes: Int
    /// The most workers.
    package let maxThreads: Int
    /// The size that is set for the kernel's buffers of a connection: one for each direction.
    package let socketBufferBytes: Int
    /// The limit of the cache of answers of motion.
    package let motionCacheBytes: Int
    /// The limit of answers of the photo library, rendered pages and photos together.
    package let photoCacheBytes: Int
    package let lowered: [Lowered]

    private static let socketBuffers = (16 << 10)...(128 << 10)

    /// Lowers the settings to the container's limit in bytes; nil for none.
    package init(_ configuration: Configuration, limit: Int? = MemoryLimit.current) {
        var lowered: [Lowered] = []
        func fitted(_ variable: String, _ wanted: Int, _ most: Int?) -> Int {
            guard let most, most < wanted else { return wanted }
            lowered.append((variable, most))
            return most
        }
        let (server, photos, bars) = (configuration.server, configuration.photos, configuration.bars)
        imageCacheBytes = fitted("SPRINGBAR_IMAGE_CACHE_BYTES", photos.imageCacheBytes, limit.map { $0 / 16 * 3 })
        inFlightBytes = fitted("SPRINGBAR_MEMORY_BYTES", server.memoryBytes, limit.map { $0 / 4 })
        sessionBytes = fitted("SPRINGBAR_SESSION_BYTES", bars.sessionBytes, limit.map { $0 / 8 })
        // A parsed document has a number of 8 bytes for each byte of its text, and the text.
        let json = limit.map { $0 / 16 / 9 }
        let maxBodyBytes = fitted("SPRINGBAR_MAX_BODY_BYTES", server.maxBodyBytes, json.map { $0 / 2 })
        maxThreads = json.map { max(2, $0 / maxBodyBytes) } ?? .max
        self.maxBodyBytes = maxBodyBytes
        motionCacheBytes = min(16 << 20, limit.map { $0 / 32 } ?? .max)
        photoCacheBytes = min(40 << 20, limit.map { $0 / 32 } ?? .max)
        // The library's memory, objects, and the allocator's overhead.
        let connectionBytes = 2 * server.maxHeadBytes + (16 << 10)
        let share = limit.map { $0 / 16 * 3 }
        // Two buffers, each of twice the size.
        let buffer = share.map { ($0 / server.maxConnections - connectionBytes) / 4 } ?? .max
        socketBufferBytes = min(max(buffer, Self.socketBuffers.lowerBound), Self.socketBuffers.upperBound)
        // An open connection with the kernel's buffers.
        let bytesPerConnection = connectionBytes + 4 * socketBufferBytes
        let connections = share.map { max(16, $0 / bytesPerConnection) }
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
