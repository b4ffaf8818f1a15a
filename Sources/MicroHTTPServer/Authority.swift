/// The form of a Host field: `uri-host [ ":" port ]` (RFC 9110, section 7.2; RFC 3986, section 3.2.2).
enum Authority {
    /// Whether these bytes are a host with or without a port.
    ///
    /// An empty host is not one: RFC 9110, section 4.2.1, has a recipient reject it.
    static func isWellFormed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        var index = 0
        if first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > 1 else { return false }
            guard bytes[1..<end].allSatisfy(isLiteral) else { return false }
            index = end + 1
        } else {
            while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
                guard isName(bytes[index]) else { return false }
                index += 1
            }
            guard index > 0 else { return false }
        }
        guard index < bytes.count else { return true }
        guard bytes[index] == UInt8(ascii: ":") else { return false }
        return bytes[(index + 1)...].allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    /// A byte of a registered name: unreserved, a sub-delimiter, or part of a percent encoding.
    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default:
            false
        }
    }

    /// A byte of an IP literal in brackets.
    private static func isLiteral(_ byte: UInt8) -> Bool {
        isName(byte) && byte != UInt8(ascii: "%") || byte == UInt8(ascii: ":")
    }
}
