/// Finds where a document stops being JSON, and what would have been right there.
///
/// simdjson knows neither: it looks at whole blocks. This reads a document that it refused once more, byte by byte,
/// only for the message. It knows all of simdjson's rules except for depth; the tests hold the two against each other.
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

    /// The first fault; nil when nothing is wrong.
    static func firstFault(in bytes: [UInt8]) -> SyntaxFault? {
        var scan = FaultScan(bytes)
        let syntax = scan.isDocument() ? nil : scan.reason.map { SyntaxFault(offset: scan.position, reason: $0) }
        guard let wrongByte = firstWrongByte(in: bytes), wrongByte <= syntax?.offset ?? .max else { return syntax }
        return SyntaxFault(offset: wrongByte, reason: .encoding)
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

    /// What the expectation is called in a message.
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

    /// Notes why it does not go on at this position.
    mutating func miss(_ reason: SyntaxFault.Reason) -> Bool {
        self.reason = reason
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
