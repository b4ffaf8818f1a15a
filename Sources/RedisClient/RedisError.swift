/// The failure of a command.
package enum RedisError: Error, Sendable, Hashable {
    /// There is no usable connection, or too many commands wait for replies; the command was not sent.
    case notReady
    /// The connection was lost before the reply, or no reply came in time. Redis may have run the command.
    case connectionLost
    case refused(RedisFault)
}

/// The reason for which a connection does not exist; `description` says more.
package enum ConnectionFailure: Error, Sendable, Equatable {
    case unresolved
    /// No socket could be connected; the text is the system's.
    case unreachable(String)
    case connectTimedOut
    /// TLS failed; the text is OpenSSL's.
    case tls(String)
    case closed
    case silent
    /// The bytes of the server are not Redis' protocol.
    case malformed(String)
    /// The server is starting, is a replica or lacks its primary.
    case notReady(RedisFault)
    case credentials(RedisFault)
    case database(RedisFault)
    case permission(RedisFault)
    /// The server refused the first commands for another reason.
    case refused(RedisFault)
    case notACluster
    /// The addresses are those of servers of different clusters.
    case severalClusters
    /// The server tells of no cluster with slots, or of one that cannot be used.
    case noSlots
    case unassignedSlots
    case version(String)
    case stopped

    /// Whether trying again cannot help before a setting or the server's configuration changes.
    package var isPermanent: Bool {
        switch self {
        case .tls, .malformed, .credentials, .database, .permission, .notACluster, .version: true
        case .refused(let fault): fault.isDenied
        default: false
        }
    }
}

extension ConnectionFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unresolved: "the host of the server has no address"
        case .unreachable(let reason): "Redis cannot be reached: \(reason)"
        case .connectTimedOut: "Redis does not accept a connection in time"
        case .tls(let reason): "TLS with Redis failed: \(reason)"
        case .closed: "Redis closed the connection"
        case .silent: "Redis does not reply"
        case .malformed(let reason): "the address does not lead to a Redis server: \(reason)"
        case .notReady(let fault): "Redis is not ready: \(fault.text)"
        case .credentials(let fault): "Redis refuses the user name or the password: \(fault.text)"
        case .database(let fault): "Redis does not have the database: \(fault.text)"
        case .permission(let fault): "a command is not there, or the user lacks a permission: \(fault.text)"
        case .refused(let fault): "Redis refuses the connection: \(fault.text)"
        case .notACluster:
            "a server is alone; several addresses, and the servers of a cluster, must lead to one Redis Cluster"
        case .severalClusters: "the addresses are those of servers of different clusters"
        case .noSlots: "the map of the cluster has no slots, has two owners of one, or cannot be read"
        case .unassignedSlots: "the cluster has slots without a server"
        case .version(let version): "Redis \(version) is too old; Redis 7.0 or later, or Valkey, is required"
        case .stopped: "the client was stopped"
        }
    }
}
