/// Strings as JSON writes them: in quotes, with the escapes that RFC 8259, section 7, requires and no others.
///
/// The quotation mark, the backslash and the controls up to U+001F are escaped, in two characters where there is such
/// an escape, else as `\u001f`. All else stands for itself in UTF-8 (RFC 8785, section 3.2.2.2, does the same).
enum QuotedText {
    /// Room for `count` bytes of which none is escaped, and the quotes.
    static func plainRoom(_ count: Int) -> Int { count + 2 }

    /// Room for `count` bytes, escaped or not, and the quotes.
    static func escapedRoom(_ count: Int) -> Int { 6 * count + 2 }

    /// Writes `source` in quotes to `target`, which has ``plainRoom(_:)`` for it.
    ///
    /// - Returns: The number of bytes written, or nil when `source` needs escapes.
    static func writePlain(_ source: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int? {
        let from = UnsafeRawBufferPointer(source)
        let to = UnsafeMutableRawPointer(target + 1)
        var position = 0
        // Eight bytes at a time: `position + 8 <= count` is inside of both, as `target` has two bytes more. The last
        // eight may begin with some that were copied before.
        if from.count >= 8 {
            while position < from.count {
                position = min(position, from.count &- 8)
                let word = from.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                if needsEscape(word) { return nil }
                to.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
                position &+= 8
            }
        }
        while position < from.count {
            if needsEscape(from[position]) { return nil }
            to.storeBytes(of: from[position], toByteOffset: position, as: UInt8.self)
            position &+= 1
        }
        target[0] = UInt8(ascii: "\"")
        target[source.count + 1] = UInt8(ascii: "\"")
        return plainRoom(source.count)
    }

    /// Writes `source` in quotes to `target`, which has ``escapedRoom(_:)`` for it.
    ///
    /// - Returns: The number of bytes written.
    static func writeEscaped(_ source: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
        target[0] = UInt8(ascii: "\"")
        var length = 1
        for byte in source { length += write(byte, to: target + length) }
        target[length] = UInt8(ascii: "\"")
        return length + 1
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// True when one of eight bytes needs an escape.
    ///
    /// A subtraction borrows from the next byte only where it found one, so the answer for all eight is exact ("Bit
    /// Twiddling Hacks", S. E. Anderson: "Determine if a word has a byte less than n").
    private static func needsEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = (word &- ones &* 0x20) & ~word
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let quote = (quotes &- ones) & ~quotes
        let backslash = (backslashes &- ones) & ~backslashes
        return (control | quote | backslash) & (ones &* 0x80) != 0
    }

    private static func write(_ byte: UInt8, to target: UnsafeMutablePointer<UInt8>) -> Int {
        guard needsEscape(byte) else {
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
