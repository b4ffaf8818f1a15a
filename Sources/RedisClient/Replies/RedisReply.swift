/// A reply of Redis (RESP2).
package enum RedisReply: Sendable, Equatable {
    /// A bulk string.
    case string([UInt8])
    /// A simple string, such as `OK`.
    case status(String)
    case integer(Int)
    /// A null bulk string or a null array.
    case null
    case array([RedisReply])
    case error(RedisFault)
}

extension RedisReply {
    package var bytes: [UInt8]? {
        if case .string(let bytes) = self { bytes } else { nil }
    }

    /// The text of a simple or a bulk string; nil for another reply.
    package var text: String? {
        switch self {
        case .string(let bytes): String(decoding: bytes, as: UTF8.self)
        case .status(let text): text
        default: nil
        }
    }

    package var elements: [RedisReply]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

/// An error reply of Redis: its first word is a code, in capitals by convention.
package struct RedisFault: Error, Sendable, Hashable {
    package let code: String
    package let text: String

    /// Keeps the words up to the arguments of a command, which Redis quotes if it does not know the command.
    package init(_ text: String) {
        self.text = text.firstRange(of: ", with args beginning with:").map { String(text[..<$0.lowerBound]) } ?? text
        code = String(text.prefix { $0 != " " })
    }

    /// Whether the command cannot be used before a change of the server: it is not there, perhaps renamed, or the user lacks
    /// the permission.
    var isMissing: Bool {
        isDenied || text.hasPrefix("ERR unknown command") || text.hasPrefix("ERR unknown subcommand")
    }

    /// Whether the server cannot be used now: it starts, is a replica, or has lost its primary or its replicas.
    ///
    /// A connection that gets such a reply is closed, so that a new look-up of the name may find another server.
    package var isNotReady: Bool { ["READONLY", "LOADING", "MASTERDOWN", "NOREPLICAS"].contains(code) }

    /// Whether a cluster cannot run the command now: a shard has no primary, or a slot is on its way.
    package var isClusterFault: Bool { ["CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "MASTERDOWN"].contains(code) }

    /// Whether the user lacks a permission, or the credentials are wrong or missing.
    package var isDenied: Bool {
        ["NOPERM", "WRONGPASS", "NOAUTH", "DENIED"].contains(code)
            || text.hasPrefix("ERR The user executing the script can't")
    }
}
