/// Base64 (RFC 4648).
package enum Base64 {
    /// The characters of an encoding, and whether it has padding.
    package enum Alphabet: Sendable {
        /// Section 4, with padding: for data URIs.
        case standard
        /// Section 5, without padding: for parts of URLs.
        case url

        fileprivate var characters: StaticString {
            switch self {
            case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            case .url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            }
        }
    }

    /// Encodes bytes.
    package static func encode(_ bytes: [UInt8], _ alphabet: Alphabet) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        alphabet.characters.withUTF8Buffer { characters in
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let group = bytes[start..<min(start + 3, bytes.count)]
                var word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                word <<= UInt32(8 * (3 - group.count))
                for digit in 0...group.count {
                    result.append(characters[Int(word >> UInt32(18 - 6 * digit) & 63)])
                }
                if alphabet == .standard {
                    for _ in group.count..<3 { result.append(UInt8(ascii: "=")) }
                }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes the `url` alphabet without padding; nil for text that `encode` never returns.
    package static func decodeURL(_ text: some StringProtocol) -> [UInt8]? {
        var result: [UInt8] = []
        var word: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let digit = digit(character) else { return nil }
            word = word << 6 | digit
            bits += 6
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
                word &= 1 << UInt32(bits) - 1
            }
        }
        // Six bits left over mean a missing character. Other bits left over must be zero, so that each value has one text.
        guard bits < 6, word == 0 else { return nil }
        return result
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
