/// Finds where a document stops being JSON.
///
/// simdjson says what is wrong but not where: it looks at whole blocks. This reads a document that it refused once
/// more, byte by byte, only for the message. It knows all of simdjson's rules except for depth; the tests hold the two
/// against each other.
struct FaultScan {
    private let bytes: [UInt8]
    private var position = 0
    /// The open containers, true for an object.
    private var open: [Bool] = []
    private var expectation = Expectation.value

    /// What the grammar allows next (RFC 8259, section 2).
    private enum Expectation {
        case value
        case valueOrEnd
        case name
        case nameOrEnd
        case colon
        case commaOrEnd
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bytes before the first one that cannot stand there, or all of them when some are missing; nil when
    /// nothing is wrong.
    static func firstFault(in bytes: [UInt8]) -> Int? {
        var scan = FaultScan(bytes)
        let syntax = scan.isDocument() ? nil : scan.position
        return [syntax, firstWrongByte(in: bytes)].compactMap(\.self).min()
    }

    /// Where the bytes stop being UTF-8.
    private static func firstWrongByte(in bytes: [UInt8]) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var length = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): length += scalar.count
            case .emptyInput: return nil
            case .error: return length
            }
        }
    }

    /// Reads on as long as the grammar holds; the position is behind the last byte that was right.
    private mutating func isDocument() -> Bool {
        repeat {
            skip(while: Self.isSpace)
            guard let byte = next, take(byte) else { return false }
        } while !(open.isEmpty && expectation == .commaOrEnd)
        skip(while: Self.isSpace)
        return next == nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        switch (expectation, byte) {
        case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
            return enter(isObject: true)
        case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
            return enter(isObject: false)
        case (.valueOrEnd, UInt8(ascii: "]")), (.nameOrEnd, UInt8(ascii: "}")):
            return leave()
        case (.value, _), (.valueOrEnd, _):
            expectation = .commaOrEnd
            return takeScalar(byte)
        case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
            expectation = .colon
            return takeString()
        case (.colon, UInt8(ascii: ":")):
            expectation = .value
            return takeByte()
        case (.commaOrEnd, UInt8(ascii: ",")):
            expectation = open.last == true ? .name : .value
            return takeByte()
        case (.commaOrEnd, UInt8(ascii: "}")) where open.last == true,
            (.commaOrEnd, UInt8(ascii: "]")) where open.last == false:
            return leave()
        default:
            return false
        }
    }

    private mutating func enter(isObject: Bool) -> Bool {
        open.append(isObject)
        expectation = isObject ? .nameOrEnd : .valueOrEnd
        return takeByte()
    }

    private mutating func leave() -> Bool {
        open.removeLast()
        expectation = .commaOrEnd
        return takeByte()
    }

    private mutating func takeScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): takeString()
        case UInt8(ascii: "t"): takeWord("true")
        case UInt8(ascii: "f"): takeWord("false")
        case UInt8(ascii: "n"): takeWord("null")
        default: takeNumber()
        }
    }
}

// MARK: The parts of a text

extension FaultScan {
    fileprivate var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    fileprivate mutating func takeByte() -> Bool {
        position += 1
        return true
    }

    fileprivate mutating func takeByte(where isRight: (UInt8) -> Bool) -> Bool {
        guard let next, isRight(next) else { return false }
        return takeByte()
    }

    fileprivate mutating func skip(while isRight: (UInt8) -> Bool) {
        while let next, isRight(next) { position += 1 }
    }

    fileprivate mutating func takeWord(_ word: String) -> Bool {
        for letter in word.utf8 {
            guard takeByte(where: { $0 == letter }) else { return false }
        }
        return true
    }

    fileprivate static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A number by section 6, and one that fits: else its first byte is the wrong one.
    fileprivate mutating func takeNumber() -> Bool {
        let start = position
        _ = takeByte { $0 == UInt8(ascii: "-") }
        let isZero = next == UInt8(ascii: "0")
        guard takeByte(where: Self.isDigit) else { return false }
        if !isZero { skip(while: Self.isDigit) }
        var isInteger = true
        if takeByte(where: { $0 == UInt8(ascii: ".") }) {
            isInteger = false
            guard takeByte(where: Self.isDigit) else { return false }
            skip(while: Self.isDigit)
        }
        if takeByte(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            isInteger = false
            _ = takeByte { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            guard takeByte(where: Self.isDigit) else { return false }
            skip(while: Self.isDigit)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let fits = isInteger ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite == true
        if !fits { position = start }
        return fits
    }

    /// A string by section 7, without half surrogate pairs.
    fileprivate mutating func takeString() -> Bool {
        position += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""): return takeByte()
            case UInt8(ascii: "\\"): guard takeEscape() else { return false }
            case 0..<0x20: return false
            default: position += 1
            }
        }
        return false
    }

    private mutating func takeEscape() -> Bool {
        let start = position
        position += 1
        guard next == UInt8(ascii: "u") else { return takeByte { #""\/bfnrt"#.utf8.contains($0) } }
        guard let first = takeUnit() else { return false }
        switch first {
        case 0xD800..<0xDC00:
            let isPair =
                takeByte { $0 == UInt8(ascii: "\\") } && next == UInt8(ascii: "u")
                && takeUnit().map { 0xDC00..<0xE000 ~= $0 } == true
            if !isPair { position = start }
            return isPair
        case 0xDC00..<0xE000:
            position = start
            return false
        default:
            return true
        }
    }

    /// The `u` of an escape and its four digits.
    private mutating func takeUnit() -> UInt32? {
        position += 1
        let start = position
        for _ in 0..<4 {
            guard takeByte(where: { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }) else { return nil }
        }
        return UInt32(String(decoding: bytes[start..<position], as: UTF8.self), radix: 16)
    }
}
