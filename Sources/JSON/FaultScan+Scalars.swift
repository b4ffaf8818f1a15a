/// The parts of a text: words, numbers and strings.
extension FaultScan {
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func takeByte() -> Bool {
        position += 1
        return true
    }

    mutating func takeByte(where isRight: (UInt8) -> Bool) -> Bool {
        guard let next, isRight(next) else { return false }
        return takeByte()
    }

    mutating func skip(while isRight: (UInt8) -> Bool) {
        while let next, isRight(next) { position += 1 }
    }

    mutating func takeWord(_ word: String) -> Bool {
        for letter in word.utf8 {
            guard takeByte(where: { $0 == letter }) else { return miss(.expected("the rest of `\(word)`")) }
        }
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func takeDigit() -> Bool {
        takeByte(where: Self.isDigit) || miss(.expected("a digit"))
    }

    /// A number by section 6, and one that fits: else its first byte is the wrong one.
    mutating func takeNumber() -> Bool {
        let start = position
        _ = takeByte { $0 == UInt8(ascii: "-") }
        let isZero = next == UInt8(ascii: "0")
        guard takeDigit() else { return false }
        if !isZero { skip(while: Self.isDigit) }
        var isInteger = true
        if takeByte(where: { $0 == UInt8(ascii: ".") }) {
            isInteger = false
            guard takeDigit() else { return false }
            skip(while: Self.isDigit)
        }
        if takeByte(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            isInteger = false
            _ = takeByte { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            guard takeDigit() else { return false }
            skip(while: Self.isDigit)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let fits = isInteger ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite == true
        if !fits { position = start }
        return fits || miss(isInteger ? .integer : .number)
    }

    /// A string by section 7, without half surrogate pairs.
    mutating func takeString() -> Bool {
        position += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""): return takeByte()
            case UInt8(ascii: "\\"): guard takeEscape() else { return false }
            case 0..<0x20: return miss(.control)
            default: position += 1
            }
        }
        return miss(.expected("the rest of a string and its `\"`"))
    }

    private mutating func takeEscape() -> Bool {
        let start = position
        position += 1
        guard next == UInt8(ascii: "u") else {
            return takeByte { #""\/bfnrt"#.utf8.contains($0) }
                || miss(.expected(#"one of `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after the `\`"#))
        }
        guard let first = takeUnit() else { return false }
        switch first {
        case 0xD800..<0xDC00:
            let isPair =
                takeByte { $0 == UInt8(ascii: "\\") } && next == UInt8(ascii: "u")
                && takeUnit().map { 0xDC00..<0xE000 ~= $0 } == true
            if !isPair { position = start }
            return isPair || miss(.halfPair)
        case 0xDC00..<0xE000:
            position = start
            return miss(.halfPair)
        default:
            return true
        }
    }

    /// The `u` of an escape and its four digits.
    private mutating func takeUnit() -> UInt32? {
        position += 1
        let start = position
        for _ in 0..<4 {
            guard takeByte(where: { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }) else {
                _ = miss(.expected("four hexadecimal digits after `\\u`"))
                return nil
            }
        }
        return UInt32(String(decoding: bytes[start..<position], as: UTF8.self), radix: 16)
    }
}
