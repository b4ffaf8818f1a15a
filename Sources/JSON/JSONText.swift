import Primitives

/// The text of a number in JSON: the shortest digits that parse to the same double, and of these the closest.
///
/// The layout is ECMAScript's (`Number::toString`, which RFC 8785 uses for canonical JSON), except for whole numbers above
/// 2^53: ECMAScript pads those with zeros up to 1e21, and 20 digits fit no integer type.
///
/// | magnitude | text |
/// |---|---|
/// | 0, also `-0` | `0` |
/// | whole, below 2^53 | `200` |
/// | from 1e-6, below 2^53 | `0.25`, `0.000001` |
/// | all others | `1e-7`, `1.5e+300`: one digit before the point, the exponent always with a sign |
package enum DecimalText {
    /// Room for any double: sign, `0.00000`, 17 digits.
    static let maximumLength = 32

    /// Room for any `Int`: sign, 19 digits.
    static let maximumIntegerLength = 20

    /// Writes `value` to `target`, which has room for ``maximumLength`` bytes; returns the number of bytes written.
    static func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        precondition(value.isFinite, "a JSON number must be finite")
        guard value != 0 else {
            target[0] = UInt8(ascii: "0")
            return 1
        }
        let magnitude = abs(value)
        var length = 0
        if value < 0 {
            target[0] = UInt8(ascii: "-")
            length = 1
        }
        if magnitude < 0x1p53, let whole = UInt64(exactly: magnitude) {
            return length + writeDigits(whole, to: target + length)
        }
        if let written = writeDecimal(magnitude, to: target + length) { return length + written }
        return length + writeShortest(magnitude, to: target + length)
    }

    /// Writes `value` to `target`, which has room for ``maximumIntegerLength`` bytes; returns the number of bytes written.
    static func write(_ value: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        guard value < 0 else { return writeDigits(UInt64(value), to: target) }
        target[0] = UInt8(ascii: "-")
        return 1 + writeDigits(UInt64(value.magnitude), to: target + 1)
    }

    /// The text of an integer between quotation marks, such as `"42"`.
    ///
    /// With up to 12 digits it is a short string, which needs no heap memory.
    package static func quoted(_ value: Int) -> String {
        String(unsafeUninitializedCapacity: 3 + digitCount(UInt64(value.magnitude))) { buffer in
            // The buffer has room for a sign and both marks, so it has an address.
            guard let start = buffer.baseAddress else { return 0 }
            start[0] = UInt8(ascii: "\"")
            let length = write(value, to: start + 1)
            start[length + 1] = UInt8(ascii: "\"")
            return length + 2
        }
    }

    /// Writes a positive number that is an integer divided by a million, as most numbers are; nil for others.
    ///
    /// If `units / 1e6` equals the number, the decimal text of `units` with six places is parsed to the number: both
    /// operands are exact doubles, and their quotient is correctly rounded (Clinger, "How to Read Floating Point
    /// Numbers Accurately", 1990). With at most 15 digits, no other text with as many places is parsed to it, so the
    /// text without trailing zeros is also the shortest.
    private static func writeDecimal(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int? {
        guard value < 1e9 else { return nil }
        let units = UInt64.clamping(value * 1e6 + 0.5)
        guard Double(units) / 1e6 == value else { return nil }
        var (whole, fraction) = units.quotientAndRemainder(dividingBy: 1_000_000)
        var places = 6
        while fraction % 10 == 0 {
            fraction /= 10
            places &-= 1
        }
        let point = writeDigits(whole, to: target)
        target[point] = UInt8(ascii: ".")
        var position = point + places
        while position > point {
            target[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction % 10)
            fraction /= 10
            position &-= 1
        }
        return point + 1 + places
    }

    /// Writes `value` in decimal, without leading zeros.
    private static func writeDigits(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let length = digitCount(value)
        var rest = value
        var position = length
        while position > 0 {
            position &-= 1
            target[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return length
    }

    /// The number of digits of `value` in decimal.
    private static func digitCount(_ value: UInt64) -> Int {
        var count = 1
        var bound: UInt64 = 10
        while count < 20, value >= bound {
            count &+= 1
            bound = bound &* 10
        }
        return count
    }

    /// Writes any positive double that is not whole and below 2^53, with the digits of the standard library.
    ///
    /// `Double.description` gives the shortest digits that read back to the value, and of these the closest, as `0.1`,
    /// `12.5`, `1e-05` or `1.2345e+20`. Below 2^53 it is the result, unless it has an exponent.
    static func writeShortest(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var text = value.description
        if value >= 0x1p53 || text.utf8.contains(UInt8(ascii: "e")) { text = scientific(text, isPlain: value >= 1e-6) }
        return text.withUTF8 { text in
            for position in 0..<text.count { target[position] = text[position] }
            return text.count
        }
    }

    /// Returns the layout of a description that has an exponent, or is a whole number without one.
    ///
    /// A number below 1 has no exponent if `isPlain`.
    private static func scientific(_ description: String, isPlain: Bool) -> String {
        let parts = description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        var digits = mantissa.joined()
        // The power of ten of the first digit.
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : mantissa[0].utf8.count - 1
        while digits.utf8.count > 1, digits.last == "0" { digits.removeLast() }
        if isPlain, exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + digits }
        if digits.utf8.count > 1 { digits.insert(".", at: digits.index(after: digits.startIndex)) }
        return "\(digits)e\(exponent < 0 ? "" : "+")\(exponent)"
    }
}

/// Strings as JSON writes them: in quotes, with the escapes that RFC 8259, section 7, requires and no others.
///
/// The quotation mark, the backslash and the controls up to U+001F are escaped, in two characters where there is such
/// an escape, else as `\u001f`. All other characters are written unchanged in UTF-8, as in RFC 8785, section 3.2.2.2.
enum QuotedText {
    /// Writes `source` in quotes to `target`, which has two bytes more; nil if it needs escapes.
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
                if escapes(in: word) != 0 { return nil }
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
        return source.count + 2
    }

    /// Writes `source` in quotes to `target`, which has six times its bytes and two more.
    static func writeEscaped(_ source: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var length = 0
        func put(_ byte: UInt8) {
            target[length] = byte
            length += 1
        }
        put(UInt8(ascii: "\""))
        for byte in source {
            guard needsEscape(byte) else {
                put(byte)
                continue
            }
            put(UInt8(ascii: "\\"))
            if let letter = letters[byte] {
                put(letter)
            } else {
                for byte in "u00".utf8 { put(byte) }
                put(digits[Int(byte >> 4)])
                put(digits[Int(byte & 0xF)])
            }
        }
        put(UInt8(ascii: "\""))
        return length
    }

    /// The letters of the short escapes.
    private static let letters = Dictionary(uniqueKeysWithValues: zip("\u{8}\t\n\u{C}\r\"\\".utf8, "btnfr\"\\".utf8))
    private static let digits = Array("0123456789abcdef".utf8)

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Returns the highest bit of the first of eight bytes that needs an escape; 0 if none does.
    ///
    /// The first byte is the lowest. Bits above the result mean nothing, because a subtraction borrows from the byte after
    /// one that needs an escape ("Bit Twiddling Hacks", S. E. Anderson: "Determine if a word has a byte less than n").
    static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = (word &- ones &* 0x20) & ~word
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let quote = (quotes &- ones) & ~quotes
        let backslash = (backslashes &- ones) & ~backslashes
        return (control | quote | backslash) & (ones &* 0x80)
    }
}
