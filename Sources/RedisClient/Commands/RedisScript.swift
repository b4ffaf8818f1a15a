import COpenSSL

/// A Lua script that Redis runs by the SHA-1 digest of its source.
///
/// The digest is the script's name, so two versions of a service run beside each other. Redis forgets scripts at a
/// restart and a failover; the client then sends the source once.
package final class RedisScript: Sendable {
    /// The source in Lua.
    package let source: String
    /// The digest in hexadecimal digits.
    package let digest: String
    /// `EVALSHA` and the digest, encoded.
    let callBytes: [UInt8]
    /// `EVAL` and the source, encoded.
    let sourceBytes: [UInt8]

    /// Creates a script.
    package init(_ source: String) {
        self.source = source
        digest = Self.digest(of: Array(source.utf8))
        // Without the head of the array: it has the number of words, and the arguments are not known yet.
        callBytes = Array(RedisCommand("EVALSHA", .text(digest)).bytes.dropFirst(4))
        sourceBytes = Array(RedisCommand("EVAL", .text(source)).bytes.dropFirst(4))
    }

    private static func digest(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length = 0
        let isDone = EVP_Q_digest(nil, "SHA1", nil, bytes, bytes.count, &digest, &length)
        // It fails only without memory, or if the library's configuration removes SHA-1.
        precondition(isDone == 1, "OpenSSL has no SHA-1")
        let digits = Array("0123456789abcdef".utf8)
        let text = digest.prefix(length).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
        return String(decoding: text, as: UTF8.self)
    }
}

extension RedisScript: Equatable {
    package static func == (one: RedisScript, other: RedisScript) -> Bool { one.digest == other.digest }
}
