/// Parses a document in one pass over its text: checks the grammar (RFC 8259) and writes the tape.
///
/// It stops at the first fault, with its position and the expected text. After the text is a zero, which is part of no
/// token: only where the grammar allows the end is the position compared with the number of bytes.
struct Parser: ~Copyable {
    private let tape: Tape
    /// The number of bytes of the text.
    private let count: Int
    private var position = 0
    /// The number of words on the tape so far.
    private var wordCount = Tape.root
    /// The index of the innermost open container; 0 if there is none.
    ///
    /// The position in its word is the index of the container around it.
    private var container = 0
    private var depth = 0
    private var expectation = Expectation.value
    private var reason = SyntaxFault.Reason.empty
    /// The repeated name of the first object that has one, and the index of that object.
    private var duplicate: (name: Int, object: Int)?
    /// Whether half of a surrogate pair is parsed as U+FFFD.
    private let replacesHalfPairs: Bool

    /// The next parts that the grammar allows (RFC 8259, section 2), in words.
    private enum Expectation: String {
        case value = "a value"
        case valueOrEnd = "a value or `]`"
        case nextValue = "another value after the comma"
        case nextName = "another name in double quotes after the comma"
        case nameOrEnd = "a name in double quotes or `}`"
        case commaOrEnd
    }

    private init(_ tape: Tape, _ count: Int, _ replacesHalfPairs: Bool) {
        self.tape = tape
        self.count = count
        self.replacesHalfPairs = replacesHalfPairs
    }

    /// Writes the tape of a document with `count` bytes; returns its first fault, or the first repeated name.
    static func parse(
        _ tape: Tape,
        count: Int,
        replacesHalfPairs: Bool = false
    ) -> (fault: SyntaxFault?, duplicate: Int?) {
        var parser = Parser(tape, count, replacesHalfPairs)
        if parser.isDocument() { return (nil, parser.duplicate?.name) }
        return (SyntaxFault(offset: parser.position, reason: parser.reason), nil)
    }

    /// Parses as far as the grammar permits; the position is that of the first fault.
    private mutating func isDocument() -> Bool {
        skipSpace()
        guard position < count else { return miss(.empty) }
        repeat {
            guard parseToken() else { return false }
            skipSpace()
        } while container != 0
        return position == count || miss(.wanted("the end of the text"))
    }

    /// Parses the value, name or punctuation at the position.
    private mutating func parseToken() -> Bool {
        let byte = byte
        switch expectation {
        case .value, .nextValue:
            return parseValue(byte)
        case .valueOrEnd:
            return byte == UInt8(ascii: "]") ? leave(Tape.Letter.arrayEnd) : parseValue(byte)
        case .nameOrEnd where byte == UInt8(ascii: "}"):
            return leave(Tape.Letter.objectEnd)
        case .nameOrEnd, .nextName:
            guard byte == UInt8(ascii: "\"") else { return missToken() }
            guard parseString() else { return false }
            skipSpace()
            expectation = .value
            return consume(UInt8(ascii: ":")) || miss(.wanted("`:`"))
        case .commaOrEnd:
            let isInObject = isInObject
            if byte == UInt8(ascii: ",") {
                expectation = isInObject ? .nextName : .nextValue
                position &+= 1
                return true
            }
            guard byte == UInt8(ascii: isInObject ? "}" : "]") else { return missToken() }
            return leave(isInObject ? Tape.Letter.objectEnd : Tape.Letter.arrayEnd)
        }
    }

    private mutating func parseValue(_ byte: UInt8) -> Bool {
        tape.words[container] &+= Tape.word(0, 1, 0)
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
        default: return missToken()
        }
    }

    private mutating func enter(_ letter: UInt8, _ expected: Expectation) -> Bool {
        guard depth < JSON.maximumDepth else { return miss(.depth) }
        depth &+= 1
        let start = wordCount
        put(Tape.word(letter, 0, container))
        container = start
        expectation = expected
        position &+= 1
        return true
    }

    private mutating func leave(_ letter: UInt8) -> Bool {
        depth &-= 1
        let start = container
        container = tape.position(start)
        put(Tape.word(letter, 0, 0))
        tape.words[start] = Tape.word(tape.letter(start), tape.count(start), wordCount)
        if letter == Tape.Letter.objectEnd, tape.count(start) > 1, duplicate.map({ start < $0.object }) ?? true,
            let name = tape.duplicate(in: start)
        {
            duplicate = (name, start)
        }
        expectation = .commaOrEnd
        position &+= 1
        return true
    }

    private var isInObject: Bool { tape.letter(container) == Tape.Letter.object }

    /// Stores the reason of a fault at this position; returns false.
    private mutating func miss(_ reason: SyntaxFault.Reason) -> Bool {
        self.reason = reason
        return false
    }

    /// Stores that the token at the position is none of the expected ones; returns false.
    private mutating func missToken() -> Bool {
        guard case .commaOrEnd = expectation else { return miss(.wanted(expectation.rawValue)) }
        return miss(.wanted(isInObject ? "`,` or `}`" : "`,` or `]`"))
    }

    private mutating func put(_ word: UInt64) {
        tape.words[wordCount] = word
        wordCount &+= 1
    }
}

/// The parts of a text: words, numbers and strings.
extension Parser {
    private var byte: UInt8 { tape.text[position] }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position &+= 1 }
    }

    private mutating func consume(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        position &+= 1
        return true
    }

    private mutating func parseWord(_ word: StaticString, _ letter: UInt8) -> Bool {
        let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        for byte in bytes where !consume(byte) { return miss(.expected("the rest of `\(word)`")) }
        put(Tape.word(letter, 0, 0))
        expectation = .commaOrEnd
        return true
    }

    /// Parses a number (section 6) that fits; otherwise the fault is at its first byte.
    private mutating func parseNumber() -> Bool {
        let start = position
        var decimal = Decimal()
        decimal.isNegative = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) {
            guard parseDigits(&decimal) else { return false }
        }
        var isInteger = true
        if consume(UInt8(ascii: ".")) {
            isInteger = false
            let point = position
            guard parseDigits(&decimal) else { return false }
            decimal.exponent = point - position
        }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            isInteger = false
            let isNegative = consume(UInt8(ascii: "-"))
            if !isNegative { _ = consume(UInt8(ascii: "+")) }
            var exponent = Decimal()
            guard parseDigits(&exponent) else { return false }
            // With a greater exponent every number is 0 or does not fit.
            let power = Int(min(exponent.digits > 9 ? .max : exponent.significand, 1_000_000_000))
            decimal.exponent += isNegative ? -power : power
        }
        if isInteger, let (letter, word) = decimal.integer(text) {
            put(Tape.word(letter, 0, 0))
            put(word)
            return true
        }
        if !isInteger, let value = decimal.double(text) {
            put(Tape.word(Tape.Letter.double, 0, 0))
            put(value.bitPattern)
            return true
        }
        position = start
        return miss(isInteger ? .integer : .number)

        func text() -> String {
            String(decoding: UnsafeBufferPointer(start: tape.text + start, count: position - start), as: UTF8.self)
        }
    }

    /// Parses at least one digit.
    private mutating func parseDigits(_ decimal: inout Decimal) -> Bool {
        // A local variable, because the loop keeps it in a register.
        var position = position
        while true {
            let digit = tape.text[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            decimal.append(digit)
            position &+= 1
        }
        defer { self.position = position }
        return position > self.position || miss(.expected("a digit"))
    }

    /// Parses a string (section 7), and decodes it in place.
    private mutating func parseString() -> Bool {
        position &+= 1
        let start = position
        var end = start
        while true {
            let part = position
            skipCharacters()
            if end != part { (tape.text + end).update(from: tape.text + part, count: position - part) }
            end &+= position &- part
            switch byte {
            case UInt8(ascii: "\""):
                position &+= 1
                put(Tape.word(Tape.Letter.string, end &- start, start))
                return true
            case UInt8(ascii: "\\"):
                guard let character = parseEscape() else { return false }
                for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter {
                    tape.text[end] = byte
                    end &+= 1
                }
            default:
                return miss(position == count ? .expected("the rest of a string and its `\"`") : .control)
            }
        }
    }

    /// Skips characters that are not encoded: stops at a quotation mark, a backslash, a control or a byte that is not UTF-8.
    private mutating func skipCharacters() {
        while true {
            let word = UnsafeRawPointer(tape.text + position).loadUnaligned(as: UInt64.self)
            let other = (QuotedText.escapes(in: word) | word) & 0x8080_8080_8080_8080
            position &+= other == 0 ? 8 : other.trailingZeroBitCount &>> 3
            if other == 0 { continue }
            guard byte >= 0x80 else { return }
            // A character of several bytes (RFC 3629, section 4).
            var parser = Unicode.UTF8.ForwardParser()
            var rest = UnsafeBufferPointer(start: tape.text + position, count: count - position).makeIterator()
            guard case .valid(let character) = parser.parseScalar(from: &rest) else { return }
            position &+= character.count
        }
    }

    private mutating func parseEscape() -> Unicode.Scalar? {
        let start = position
        position &+= 1
        let letter = byte
        position &+= 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return parseUnits(from: start)
        default:
            position &-= 1
            _ = miss(.expected(#"one of `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after the `\`"#))
            return nil
        }
    }

    /// Parses the digits of one UTF-16 code unit, or of the two escapes of a surrogate pair.
    private mutating func parseUnits(from start: Int) -> Unicode.Scalar? {
        guard var value = parseUnit() else { return nil }
        if 0xD800..<0xDC00 ~= value, consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) {
            guard let second = parseUnit() else { return nil }
            value = 0xDC00..<0xE000 ~= second ? 0x10000 + (value & 0x3FF) << 10 + second & 0x3FF : value
        }
        guard let character = Unicode.Scalar(value) else {
            if replacesHalfPairs {
                // Behind the first unit: an escape after it is a character of its own.
                position = start &+ 6
                return "\u{FFFD}"
            }
            position = start
            _ = miss(.halfPair)
            return nil
        }
        return character
    }

    /// Parses four hexadecimal digits.
    private mutating func parseUnit() -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                _ = miss(.expected("four hexadecimal digits after `\\u`"))
                return nil
            }
            unit = unit << 4 | UInt32(digit)
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
