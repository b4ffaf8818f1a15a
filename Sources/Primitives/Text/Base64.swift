/// Base64 (RFC 4648).
package enum Base64 {
    /// The characters of an encoding, and whether it has padding.
    package enum Alphabet: Sendable {
        /// Section 4, with padding: for data URIs.
        case standard
        /// Section 5, without padding: for parts of URLs.
        case url
    }

    private static let shared = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let standard = shared + Array("+/".utf8)
    private static let url = shared + Array("-_".utf8)

    /// Encodes bytes.
    package static func encode(_ bytes: [UInt8], _ alphabet: Alphabet) -> String {
        let characters = alphabet == .standard ? standard : url
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            word <<= UInt32(8 * (3 - group.count))
            for digit in 0...group.count { result.append(characters[Int(word >> UInt32(18 - 6 * digit) & 63)]) }
            if alphabet == .standard {
                for _ in group.count..<3 { result.append(UInt8(ascii: "=")) }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes the `url` alphabet without padding; nil for text that `encode` never returns.
    package static func decodeURL(_ text: some StringProtocol) -> [UInt8]? {
        var result: [UInt8] = []
        var (word, bits) = (0, 0)
        for character in text.utf8 {
            guard let digit = url.firstIndex(of: character) else { return nil }
            word = word << 6 | digit
            bits += 6
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: word >> bits))
                word &= 1 << bits - 1
            }
        }
        // Six bits left over mean a missing character. Other bits left over must be zero, so that each value has one text.
        return bits < 6 && word == 0 ? result : nil
    }
}
