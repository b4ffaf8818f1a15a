/// A part of a URL that holds any text (RFC 3986, section 2).
package enum URLComponent {
    /// Encodes all but the unreserved characters, so that the text may stand in a path segment or a query value.
    package static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes what must not stand in a path or query (RFC 3986, sections 3.3 and 3.4), such as `"`, `<`, `>`, a space or
    /// a `%` without two digits; what may stand there stays as it is.
    ///
    /// `/`, `?`, `&` and `=` keep their meaning: the text may be a whole path or query.
    package static func legalised(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy({ isUnreserved($0) || delimiters.contains($0) }) { return String(text) }
        let bytes = Array(text.utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (position, byte) in bytes.enumerated() {
            let isLegal =
                byte == UInt8(ascii: "%")
                ? position + 2 < bytes.count && isHexDigit(bytes[position + 1]) && isHexDigit(bytes[position + 2])
                : isUnreserved(byte) || delimiters.contains(byte)
            if isLegal {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `sub-delims`, `:` and `@` of a `pchar`, and the two that a path and a query have beside them.
    private static let delimiters = Array("!$&'()*+,;=:@/?".utf8)

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
