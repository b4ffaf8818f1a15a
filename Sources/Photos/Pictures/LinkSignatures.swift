import Primitives

/// The signatures of picture links: with one, an `<img>` needs no token, which it cannot send.
///
/// A signature covers the id of a photo, so one fits all sizes of its picture and its placeholder. It is a code under a
/// token of the service: every replica and every start has the same, and it is valid as long as its token.
package struct LinkSignatures: Sendable {
    package typealias Code = @Sendable (_ message: [UInt8], _ key: [UInt8]) -> [UInt8]

    private let tokens: [[UInt8]]
    private let code: Code

    /// The links of a service without tokens: without signatures.
    package static let none = LinkSignatures(tokens: []) { _, _ in [] }

    /// Signs with the first token, and accepts signatures with any; `code` is HMAC-SHA-256 (RFC 2104).
    package init(tokens: [String], _ code: @escaping Code) {
        self.tokens = tokens.map { Array($0.utf8) }
        self.code = code
    }

    /// The query of a photo's links, with its question mark; empty without tokens.
    func query(for photo: String) -> String { tokens.first.map { "?s=" + signature(of: photo, $0) } ?? "" }

    /// Whether a text is the signature of a photo.
    func accepts(_ signature: [UInt8], for photo: String) -> Bool {
        tokens.contains { signature.isEqual(toSecret: Array(self.signature(of: photo, $0).utf8)) }
    }

    /// 96 bits of the code, in base 64 for URLs; the first words keep it apart from other uses of the token.
    private func signature(of photo: String, _ token: [UInt8]) -> String {
        Base64.encode(Array(code(Array("picture of \(photo)".utf8), token).prefix(12)), .url)
    }
}
