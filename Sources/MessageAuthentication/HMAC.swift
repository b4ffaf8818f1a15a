import COpenSSL

/// Message authentication codes by keyed hashing (RFC 2104).
package enum HMAC {
    /// Returns the code of a message with SHA-256, 32 bytes; empty if OpenSSL cannot compute it.
    package static func sha256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        let result = COpenSSL.HMAC(
            EVP_sha256(),
            key,
            Int32(clamping: key.count),
            message,
            message.count,
            &code,
            &count
        )
        return result == nil ? [] : Array(code.prefix(Int(count)))
    }
}
