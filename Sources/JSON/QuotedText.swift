/// Strings as JSON writes them: in quotes, with the escapes that RFC 8259, section 7, requires and no others.
///
/// The quotation mark, the backslash and the controls up to U+001F are escaped, in two characters where there is such
/// an escape, else as `\u001f`. All else stands for itself in UTF-8 (RFC 8785, section 3.2.2.2, does the same).
enum QuotedText {
    /// Room for the quotes and for every byte of `source`, escaped where it must be.
    static func room(for source: UnsafeBufferPointer<UInt8>) -> Int {
        needsEscape(source) ? 2 + 6 * source.count : 2 + source.count
    }

    /// Writes `source` in quotes to `target`, which has ``room(for:)`` it.
    ///
    /// - Returns: The number of bytes written.
    static func write(_ source: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
        target[0] = UInt8(ascii: "\"")
        var length = 1
        if needsEscape(source) {
            for byte in source { length += write(byte, to: target + length) }
        } else if let start = source.baseAddress {
            (target + 1).update(from: start, count: source.count)
            length += source.count
        }
        target[length] = UInt8(ascii: "\"")
        return length + 1
    }

    /// Looks at every byte without leaving early, which the compiler turns into vector code.
    private static func needsEscape(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
        var found = false
        for byte in source { found = found || isEscaped(byte) }
        return found
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func write(_ byte: UInt8, to target: UnsafeMutablePointer<UInt8>) -> Int {
        guard isEscaped(byte) else {
            target[0] = byte
            return 1
        }
        target[0] = UInt8(ascii: "\\")
        switch byte {
        case 0x08: target[1] = UInt8(ascii: "b")
        case 0x09: target[1] = UInt8(ascii: "t")
        case 0x0A: target[1] = UInt8(ascii: "n")
        case 0x0C: target[1] = UInt8(ascii: "f")
        case 0x0D: target[1] = UInt8(ascii: "r")
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): target[1] = byte
        default:
            target[1] = UInt8(ascii: "u")
            target[2] = UInt8(ascii: "0")
            target[3] = UInt8(ascii: "0")
            target[4] = hexadecimal(byte >> 4)
            target[5] = hexadecimal(byte & 0xF)
            return 6
        }
        return 2
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
