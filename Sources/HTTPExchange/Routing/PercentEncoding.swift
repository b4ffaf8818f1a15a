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
        var needsDecoding = false
        for byte in text.utf8 {
            if byte < 0x20 || byte == 0x7F { return nil }
            needsDecoding = needsDecoding || byte == UInt8(ascii: "%") || (plusIsSpace && byte == UInt8(ascii: "+"))
        }
        return needsDecoding ? decodeBytes(text.utf8, plusIsSpace: plusIsSpace) : String(text)
    }

    private static func decodeBytes(_ encoded: Substring.UTF8View, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var position = encoded.makeIterator()
        while let byte = position.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = position.next().flatMap(hexValue), let low = position.next().flatMap(hexValue) else {
                    return nil
                }
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
