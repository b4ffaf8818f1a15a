/// Finds the first fault of a document that simdjson refused, and what is expected there.
///
/// simdjson reports neither, because it processes whole blocks. This scan parses the document again, byte by byte, only
/// for the message. It has all of simdjson's rules except for the depth; differential tests compare the two.
struct FaultScan {
    let bytes: [UInt8]
    var position = 0
    /// The open containers, true for an object.
    private var open: [Bool] = []
    private var expectation = Expectation.value
    private var reason: SyntaxFault.Reason?

    /// What the grammar allows next (RFC 8259, section 2).
    private enum Expectation {
        case value
        case valueOrEnd
        case nextValue
        case nextName
        case nameOrEnd
        case colon
        case commaOrEnd
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The first fault; nil for a valid document.
    static func firstFault(in bytes: [UInt8]) -> SyntaxFault? {
        var scan = FaultScan(bytes)
        let syntax = scan.isDocument() ? nil : scan.reason.map { SyntaxFault(offset: scan.position, reason: $0) }
        guard let wrongByte = firstWrongByte(in: bytes), wrongByte <= syntax?.offset ?? .max else { return syntax }
        return SyntaxFault(offset: wrongByte, reason: .encoding)
    }

    /// The position of the first byte that is not UTF-8.
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

    /// Parses as long as the grammar permits; the position is after the last valid byte.
    private mutating func isDocument() -> Bool {
        repeat {
            skip(while: Self.isSpace)
            guard let byte = next else { return miss(.wanted(wanted)) }
            guard take(byte) else { return false }
        } while !(open.isEmpty && expectation == .commaOrEnd)
        skip(while: Self.isSpace)
        return next == nil || miss(.wanted("the end of the text"))
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        switch (expectation, byte) {
        case (.valueOrEnd, UInt8(ascii: "]")), (.nameOrEnd, UInt8(ascii: "}")):
            return leave()
        case (.value, _), (.valueOrEnd, _), (.nextValue, _):
            return takeValue(byte)
        case (.nextName, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
            expectation = .colon
            return takeString()
        case (.colon, UInt8(ascii: ":")):
            expectation = .value
            return takeByte()
        case (.commaOrEnd, UInt8(ascii: ",")):
            expectation = open.last == true ? .nextName : .nextValue
            return takeByte()
        case (.commaOrEnd, UInt8(ascii: "}")) where open.last == true,
            (.commaOrEnd, UInt8(ascii: "]")) where open.last == false:
            return leave()
        default:
            return miss(.wanted(wanted))
        }
    }

    private mutating func takeValue(_ byte: UInt8) -> Bool {
        let wanted = wanted
        expectation = .commaOrEnd
        switch byte {
        case UInt8(ascii: "{"): return enter(isObject: true)
        case UInt8(ascii: "["): return enter(isObject: false)
        case UInt8(ascii: "\""): return takeString()
        case UInt8(ascii: "t"): return takeWord("true")
        case UInt8(ascii: "f"): return takeWord("false")
        case UInt8(ascii: "n"): return takeWord("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return takeNumber()
        default: return miss(.wanted(wanted))
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

    /// The name of the expectation in a message.
    private var wanted: String {
        switch expectation {
        case .value: "a value"
        case .valueOrEnd: "a value or `]`"
        case .nextValue: "another value after the comma"
        case .nextName: "another name in double quotes after the comma"
        case .nameOrEnd: "a name in double quotes or `}`"
        case .colon: "`:`"
        case .commaOrEnd: open.last == true ? "`,` or `}`" : "`,` or `]`"
        }
    }

    /// Notes the fault at this position.
    mutating func miss(_ reason: SyntaxFault.Reason) -> Bool {
        self.reason = reason
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}

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
