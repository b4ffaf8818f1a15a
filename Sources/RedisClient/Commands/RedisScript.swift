import COpenSSL

/// A Lua script that Redis runs by the SHA-1 digest of its source.
///
/// The digest is the script's name, so two versions of a service run beside each other. Redis forgets scripts at a
/// restart and a failover; the client then sends the source once.
package struct RedisScript: Sendable {
    /// The source in Lua.
    package let source: String
    /// The digest in hexadecimal digits.
    package let digest: String

    /// Creates a script.
    package init(_ source: String) {
        self.source = source
        digest = Self.digest(of: Array(source.utf8))
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
