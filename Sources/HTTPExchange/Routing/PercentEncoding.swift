/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// ALPHA, DIGIT, `-`, `.`, `_`, `~` (RFC 3986, section 2.3): encoded or not, these mean the same.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The value of a hexadecimal digit, of either case.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The decoded text; nil for a `%` without two digits, for bytes that are not UTF-8 and for control characters.
    ///
    /// No parameter of ours has a use for controls, and they have cut more than one C string short. `plusIsSpace` is
    /// for queries, as forms write them, and not for paths.
    package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        text.utf8.span.withUnsafeBufferPointer { decode($0, plusIsSpace: plusIsSpace) }
    }

    /// The same for bytes of a text.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool = false) -> String? {
        if ByteSearch.hasControl(text) { return nil }
        if ByteSearch.contains(UInt8(ascii: "%"), text) || plusIsSpace && ByteSearch.contains(UInt8(ascii: "+"), text) {
            return decodeBytes(text, plusIsSpace: plusIsSpace)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decodeBytes(_ encoded: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> String? {
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
                if decoded < 0x20 || decoded == 0x7F { return nil }
                bytes.append(decoded)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The text with everything but unreserved characters encoded: fit for one segment or one query value.
    package static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 0xF)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
