/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Returns whether a byte means the same whether it is encoded or not (RFC 3986, section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Returns the value of a hexadecimal digit of either case; nil for another byte.
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Decodes text; nil for a `%` without two digits, for bytes that are not UTF-8 and for control characters.
    ///
    /// A zero would end a C string early. Set `plusIsSpace` for queries, as forms write them; a path has no such rule.
    package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        text.utf8.span.withUnsafeBufferPointer { decode($0, plusIsSpace: plusIsSpace) }
    }

    /// Decodes the bytes of a text; see `decode(_:plusIsSpace:)`.
    package static func decode(_ encoded: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool = false) -> String? {
        var isPlain = true
        for byte in encoded {
            if isControl(byte) { return nil }
            if byte == UInt8(ascii: "%") || plusIsSpace && byte == UInt8(ascii: "+") { isPlain = false }
        }
        if isPlain { return String(decoding: encoded, as: UTF8.self) }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var position = 0
        while position < encoded.count {
            let byte = encoded[position]
            position += 1
            switch byte {
            case UInt8(ascii: "%"):
                guard position + 2 <= encoded.count, let high = hexValue(encoded[position]),
                    let low = hexValue(encoded[position + 1])
                else { return nil }
                position += 2
                let decoded = high << 4 | low
                if isControl(decoded) { return nil }
                bytes.append(decoded)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes everything but unreserved characters, so that the text may stand in a path segment or a query value.
    package static func encode(_ text: String) -> String {
        encode(text) { bytes, position in isUnreserved(bytes[position]) }
    }

    /// Encodes parameters, sorted by name: equal requests of a library have equal targets.
    package static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.sorted { $0.name < $1.name }.map { "\($0.name)=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Encodes the characters that are not allowed in a path or query (RFC 3986, sections 3.3 and 3.4), such as `"` or
    /// a space.
    ///
    /// `/`, `?`, `&` and `=` keep their meaning, so the text may be a whole path or query.
    package static func encodeIllegal(in text: some StringProtocol) -> String {
        encode(text) { bytes, position in
            guard bytes[position] == UInt8(ascii: "%") else {
                return isUnreserved(bytes[position]) || delimiters.contains(bytes[position])
            }
            return position + 2 < bytes.count && hexValue(bytes[position + 1]) != nil
                && hexValue(bytes[position + 2]) != nil
        }
    }

    /// `sub-delims`, `:` and `@` of a `pchar`, and the two that a path and a query allow besides them.
    private static let delimiters = Array("!$&'()*+,;=:@/?".utf8)

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes the bytes for which `isKept` returns false.
    private static func encode(_ text: some StringProtocol, unless isKept: ([UInt8], Int) -> Bool) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for position in bytes.indices {
            let byte = bytes[position]
            if isKept(bytes, position) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// CTL of RFC 5234, appendix B.1.
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
