/// Parses a document in one pass over its bytes: checks the grammar (RFC 8259) and writes the tape.
///
/// It stops at the first fault, with its position and the expected text.
struct Parser: ~Copyable {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let buffer: Tape.Buffer
    private var position = 0
    /// The number of words and the number of bytes of strings on the tape so far.
    private var (wordCount, stringCount) = (Tape.root, 0)
    /// The index of the innermost open container; 0 if there is none.
    ///
    /// The payload of its word is the index of the container around it.
    private var container = 0
    private var depth = 0
    private var expectation = Expectation.value
    private var reason = SyntaxFault.Reason.wanted("a value")

    /// The next parts that the grammar allows (RFC 8259, section 2).
    private enum Expectation {
        case value
        case valueOrEnd
        case nextValue
        case nextName
        case nameOrEnd
        case commaOrEnd
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ buffer: Tape.Buffer) {
        self.bytes = bytes
        self.buffer = buffer
    }

    /// Writes the tape of a document to a buffer for its number of bytes; returns the first fault, nil for a valid
    /// document.
    static func parse(_ bytes: [UInt8], to buffer: Tape.Buffer) -> SyntaxFault? {
        let fault = bytes.withUnsafeBufferPointer { bytes -> SyntaxFault? in
            var parser = Parser(bytes, buffer)
            return parser.isDocument() ? nil : SyntaxFault(offset: parser.position, reason: parser.reason)
        }
        guard let fault else { return nil }
        // If the first refused byte is not UTF-8, the fault is about the encoding.
        guard !isCharacter(bytes, at: fault.offset) else { return fault }
        return SyntaxFault(offset: fault.offset, reason: .encoding)
    }

    /// Whether a character begins at a position, or the document ends there.
    private static func isCharacter(_ bytes: [UInt8], at position: Int) -> Bool {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes[position...].makeIterator()
        if case .error = parser.parseScalar(from: &rest) { return false }
        return true
    }

    /// Parses as far as the grammar permits; the position is that of the first fault.
    private mutating func isDocument() -> Bool {
        repeat {
            skipSpace()
            guard let byte = next else { return miss(wordCount == Tape.root ? .empty : .wanted(wanted)) }
            guard parseToken(byte) else { return false }
        } while !(container == 0 && expectation == .commaOrEnd)
        skipSpace()
        return next == nil || miss(.wanted("the end of the text"))
    }

    /// Parses the value, name or punctuation that begins with a byte.
    private mutating func parseToken(_ byte: UInt8) -> Bool {
        switch expectation {
        case .value, .nextValue:
            return parseValue(byte)
        case .valueOrEnd:
            return byte == UInt8(ascii: "]") ? leave(Tape.Letter.arrayEnd) : parseValue(byte)
        case .nameOrEnd where byte == UInt8(ascii: "}"):
            return leave(Tape.Letter.objectEnd)
        case .nameOrEnd, .nextName:
            guard byte == UInt8(ascii: "\"") else { return miss(.wanted(wanted)) }
            guard parseString() else { return false }
            skipSpace()
            expectation = .value
            return consume(UInt8(ascii: ":")) || miss(.wanted("`:`"))
        case .commaOrEnd:
            switch (byte, isInObject) {
            case (UInt8(ascii: ","), let isInObject):
                expectation = isInObject ? .nextName : .nextValue
                position += 1
                return true
            case (UInt8(ascii: "}"), true): return leave(Tape.Letter.objectEnd)
            case (UInt8(ascii: "]"), false): return leave(Tape.Letter.arrayEnd)
            default: return miss(.wanted(wanted))
            }
        }
    }

    private mutating func parseValue(_ byte: UInt8) -> Bool {
        if container > 0 { buffer.words[container] += Tape.oneElement(of: buffer.words[container]) }
        switch byte {
        case UInt8(ascii: "{"): return enter(Tape.Letter.object, .nameOrEnd)
        case UInt8(ascii: "["): return enter(Tape.Letter.array, .valueOrEnd)
        case UInt8(ascii: "\""):
            expectation = .commaOrEnd
            return parseString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            expectation = .commaOrEnd
            return parseNumber()
        case UInt8(ascii: "t"): return parseWord("true", Tape.Letter.yes)
        case UInt8(ascii: "f"): return parseWord("false", Tape.Letter.no)
        case UInt8(ascii: "n"): return parseWord("null", Tape.Letter.null)
        default: return miss(.wanted(wanted))
        }
    }

    private mutating func enter(_ letter: UInt8, _ expected: Expectation) -> Bool {
        guard depth < JSON.maximumDepth else { return miss(.depth) }
        depth += 1
        let start = wordCount
        put(letter, UInt64(truncatingIfNeeded: container))
        container = start
        expectation = expected
        position += 1
        return true
    }

    private mutating func leave(_ letter: UInt8) -> Bool {
        depth -= 1
        let start = container
        container = Int(UInt32(truncatingIfNeeded: buffer.words[start]))
        put(letter, UInt64(truncatingIfNeeded: start))
        // The index of the outer container is replaced by that of the word after the end. The letter and the count
        // stay.
        let end = UInt64(UInt32(truncatingIfNeeded: wordCount))
        buffer.words[start] = buffer.words[start] & ~0xFFFF_FFFF | end
        expectation = .commaOrEnd
        position += 1
        return true
    }

    private var isInObject: Bool { UInt8(truncatingIfNeeded: buffer.words[container] &>> 56) == Tape.Letter.object }

    /// The name of the expectation in a message.
    private var wanted: String {
        switch expectation {
        case .value: "a value"
        case .valueOrEnd: "a value or `]`"
        case .nextValue: "another value after the comma"
        case .nextName: "another name in double quotes after the comma"
        case .nameOrEnd: "a name in double quotes or `}`"
        case .commaOrEnd: isInObject ? "`,` or `}`" : "`,` or `]`"
        }
    }

    /// Stores the reason of a fault at this position; returns false.
    private mutating func miss(_ reason: SyntaxFault.Reason) -> Bool {
        self.reason = reason
        return false
    }

    private mutating func put(_ letter: UInt8, _ payload: UInt64 = 0) {
        put(word: UInt64(letter) &<< 56 | payload)
    }

    private mutating func put(word: UInt64) {
        buffer.words[wordCount] = word
        wordCount &+= 1
    }
}

/// The parts of a text: words, numbers and strings.
extension Parser {
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position &+= 1 }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position &+= 1
        return true
    }

    private mutating func parseWord(_ word: StaticString, _ letter: UInt8) -> Bool {
        for byte in word.bytes where !consume(byte) { return miss(.expected("the rest of `\(word)`")) }
        put(letter)
        expectation = .commaOrEnd
        return true
    }

    /// Parses a number (section 6) that fits; otherwise the fault is at its first byte.
    private mutating func parseNumber() -> Bool {
        let start = position
        var decimal = Decimal()
        decimal.isNegative = consume(UInt8(ascii: "-"))
        let isZero = next == UInt8(ascii: "0")
        guard parseDigits(&decimal, atMost: isZero ? 1 : .max) else { return false }
        var isInteger = true
        if consume(UInt8(ascii: ".")) {
            isInteger = false
            let point = position
            guard parseDigits(&decimal, atMost: .max) else { return false }
            decimal.exponent = point - position
        }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            isInteger = false
            let isNegative = consume(UInt8(ascii: "-"))
            if !isNegative { _ = consume(UInt8(ascii: "+")) }
            var exponent = Decimal()
            guard parseDigits(&exponent, atMost: .max) else { return false }
            // With a greater exponent every number is 0 or does not fit.
            let power = Int(min(exponent.digits > 9 ? .max : exponent.significand, 1_000_000_000))
            decimal.exponent += isNegative ? -power : power
        }
        if isInteger, let (letter, word) = decimal.integer(text) {
            put(letter)
            put(word: word)
            return true
        }
        if !isInteger, let value = decimal.double(text) {
            put(Tape.Letter.double)
            put(word: value.bitPattern)
            return true
        }
        position = start
        return miss(isInteger ? .integer : .number)

        func text() -> String { String(decoding: bytes[start..<position], as: UTF8.self) }
    }

    /// Parses at least one digit, and at most `limit`.
    private mutating func parseDigits(_ decimal: inout Decimal, atMost limit: Int) -> Bool {
        let start = position
        var position = start
        while position < bytes.count, position &- start < limit {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            decimal.append(digit)
            position &+= 1
        }
        self.position = position
        return position > start || miss(.expected("a digit"))
    }

    /// Parses a string (section 7) without half surrogate pairs.
    private mutating func parseString() -> Bool {
        position &+= 1
        put(Tape.Letter.string, UInt64(truncatingIfNeeded: stringCount))
        let start = stringCount
        stringCount &+= MemoryLayout<UInt32>.size
        parsePlainCharacters()
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position &+= 1
                let length = UInt32(truncatingIfNeeded: stringCount - start - MemoryLayout<UInt32>.size)
                UnsafeMutableRawPointer(buffer.strings + start).storeBytes(of: length, as: UInt32.self)
                return true
            case UInt8(ascii: "\\"):
                guard parseEscape() else { return false }
            case 0x80...:
                guard parseCharacter() else { return miss(.encoding) }
            default:
                return miss(.control)
            }
            parsePlainCharacters()
        }
        return miss(.expected("the rest of a string and its `\"`"))
    }

    /// Copies ASCII characters that need no decoding.
    private mutating func parsePlainCharacters() {
        // Local variables, because the loop keeps them in registers.
        var (position, stringCount) = (self.position, self.stringCount)
        while position < bytes.count {
            let byte = bytes[position]
            guard 0x20..<0x80 ~= byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            buffer.strings[stringCount] = byte
            position &+= 1
            stringCount &+= 1
        }
        (self.position, self.stringCount) = (position, stringCount)
    }

    private mutating func put(byte: UInt8) {
        buffer.strings[stringCount] = byte
        stringCount &+= 1
    }

    /// Parses a character of several bytes (RFC 3629, section 4).
    private mutating func parseCharacter() -> Bool {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes[position...].makeIterator()
        guard case .valid(let character) = parser.parseScalar(from: &rest) else { return false }
        for byte in character { put(byte: byte) }
        position &+= character.count
        return true
    }

    private mutating func parseEscape() -> Bool {
        let start = position
        position &+= 1
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): put(byte: bytes[position])
        case UInt8(ascii: "b"): put(byte: 0x08)
        case UInt8(ascii: "f"): put(byte: 0x0C)
        case UInt8(ascii: "n"): put(byte: 0x0A)
        case UInt8(ascii: "r"): put(byte: 0x0D)
        case UInt8(ascii: "t"): put(byte: 0x09)
        case UInt8(ascii: "u"): return parseUnits(from: start)
        default: return miss(.expected(#"one of `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after the `\`"#))
        }
        position &+= 1
        return true
    }

    /// Parses an escape of one UTF-16 code unit, or the two escapes of a surrogate pair.
    private mutating func parseUnits(from start: Int) -> Bool {
        guard let first = parseUnit() else { return false }
        var scalar = UInt32(first)
        if UTF16.isLeadSurrogate(first) {
            guard consume(UInt8(ascii: "\\")), next == UInt8(ascii: "u") else { return missPair(start) }
            guard let second = parseUnit() else { return false }
            guard UTF16.isTrailSurrogate(second) else { return missPair(start) }
            scalar = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
        }
        guard let character = Unicode.Scalar(scalar), let encoded = UTF8.encode(character) else {
            return missPair(start)
        }
        for byte in encoded { put(byte: byte) }
        return true
    }

    private mutating func missPair(_ start: Int) -> Bool {
        position = start
        return miss(.halfPair)
    }

    /// Parses the `u` of an escape and its four digits.
    private mutating func parseUnit() -> UInt16? {
        position &+= 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                _ = miss(.expected("four hexadecimal digits after `\\u`"))
                return nil
            }
            unit = unit << 4 | UInt16(digit)
            position &+= 1
        }
        return unit
    }
}

/// The digits of a number.
private struct Decimal {
    var isNegative = false
    /// The digits as an integer; valid up to 19 digits, which fit.
    private(set) var significand: UInt64 = 0
    /// The number of digits without leading zeros.
    private(set) var digits = 0
    /// The power of ten by which the digits are multiplied.
    var exponent = 0

    mutating func append(_ digit: UInt8) {
        significand = significand &* 10 &+ UInt64(digit)
        if digits > 0 || digit > 0 { digits &+= 1 }
    }

    /// Returns the letter and the word of an integer of 64 bits; nil if it does not fit.
    func integer(_ text: () -> String) -> (letter: UInt8, word: UInt64)? {
        if digits < 19 {
            return (Tape.Letter.integer, isNegative ? 0 &- significand : significand)
        }
        let text = text()
        if let value = Int64(text) { return (Tape.Letter.integer, UInt64(bitPattern: value)) }
        return UInt64(text).map { (Tape.Letter.unsigned, $0) }
    }

    /// Returns the nearest double; nil if there is none.
    ///
    /// Significands below 2^53 and powers of ten up to 10^22 are exact doubles, so their product or quotient is rounded
    /// once, correctly (Clinger, "How to Read Floating Point Numbers Accurately", 1990). Other numbers are left to the
    /// standard library.
    func double(_ text: () -> String) -> Double? {
        if digits <= 15, Decimal.powers.indices ~= abs(exponent) {
            let power = Decimal.powers[abs(exponent)]
            let magnitude = exponent < 0 ? Double(significand) / power : Double(significand) * power
            return isNegative ? -magnitude : magnitude
        }
        return Double(text()).flatMap { $0.isFinite ? $0 : nil }
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
