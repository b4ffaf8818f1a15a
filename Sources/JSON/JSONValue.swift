import Glibc
import Primitives

/// One value of a parsed document: a view, two words large, that keeps the document alive.
///
/// The accessors check the type and throw a ``JSONError`` with the pointer of the value. None converts: `"1"` is not
/// a number and `0` is not a boolean.
package struct JSONValue: Sendable {
    let document: Document
    let index: Int

    init(_ document: Document, _ index: Int) {
        self.document = document
        self.index = index
    }

    /// The types of RFC 8259, section 3.
    package enum Kind: String, Sendable {
        case null
        case bool
        case number
        case string
        case array
        case object
    }

    /// The type of the value.
    package var kind: Kind {
        switch letter {
        case Tape.Letter.null: .null
        case Tape.Letter.yes, Tape.Letter.no: .bool
        case Tape.Letter.string: .string
        case Tape.Letter.array: .array
        case Tape.Letter.object: .object
        default: .number
        }
    }

    /// True for the literal `null`.
    package var isNull: Bool { letter == Tape.Letter.null }

    /// The value, or nil when it is the literal `null`.
    package var unlessNull: JSONValue? { isNull ? nil : self }

    /// The value as an object.
    package consuming func object() throws(JSONError) -> JSONObject {
        guard letter == Tape.Letter.object else { throw mismatch("an object") }
        return JSONObject(document, index)
    }

    /// The value as an array.
    package consuming func array() throws(JSONError) -> JSONArray {
        guard letter == Tape.Letter.array else { throw mismatch("an array") }
        return JSONArray(document, index)
    }

    /// The value as a boolean.
    package func bool() throws(JSONError) -> Bool {
        switch letter {
        case Tape.Letter.yes: return true
        case Tape.Letter.no: return false
        default: throw mismatch("true or false")
        }
    }

    /// The pointer to the value (RFC 6901), such as `/events/7/contentOffset/y`.
    ///
    /// It is found by a walk from the root: for messages, not for every value.
    package var pointer: String { document.pointer(to: index) }

    /// An error at this value, for a rule that the caller knows: the value is well-formed and not allowed.
    package func error(_ detail: String) -> JSONError {
        JSONError(pointer: pointer, detail: detail, isMalformed: false)
    }

    var letter: UInt8 { document.withTape { $0.letter(index) } }

    /// The error of a value that has another type; `expected` with its article.
    func mismatch(_ expected: String) -> JSONError {
        error("must be \(expected), was \(kind.phrase)")
    }
}

extension JSONValue.Kind {
    /// The type in a sentence.
    var phrase: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue {
    /// The value as a double, which is finite.
    ///
    /// `-0` is returned as 0, so that there is only one zero to compare, store or print. An integer of more than 53
    /// bits is rounded to the nearest double.
    package func double() throws(JSONError) -> Double {
        guard let value = document.withTape({ $0.double(index) }) else { throw mismatch("a number") }
        return value
    }

    /// The value as a double in `range`.
    package func double(in range: ClosedRange<Double>) throws(JSONError) -> Double {
        let value = try double()
        guard range.contains(value) else {
            throw error(
                "must be from \(range.lowerBound.brief) to \(range.upperBound.brief)"
            )
        }
        return value
    }

    /// The value as an integer: a number without a fraction, in any notation (`200`, `200.0`, `2e2`).
    ///
    /// With a point or an exponent it is read as a double, and refused from 2^53 on, where doubles stop being exact.
    package func integer() throws(JSONError) -> Int {
        try integer(in: Int.min...Int.max)
    }

    /// The value as an integer in `range`.
    package func integer(in range: ClosedRange<Int>) throws(JSONError) -> Int {
        let (letter, word) = numeral
        switch letter {
        case Tape.Letter.integer:
            let value = Int(Int64(bitPattern: word))
            guard range.contains(value) else { throw outside(range) }
            return value
        case Tape.Letter.unsigned:
            // The tape has this letter only for integers above Int64.max.
            throw outside(range)
        case Tape.Letter.double:
            let value = Double(bitPattern: word)
            guard value == value.rounded(.towardZero) else { throw error("must be an integer") }
            let whole = Int.clamping(value)
            guard abs(value) < 0x1p53, range.contains(whole) else { throw outside(range) }
            return whole
        default:
            throw mismatch("an integer")
        }
    }

    private var numeral: (letter: UInt8, word: UInt64) {
        document.withTape { tape in
            let letter = tape.letter(index)
            // A literal may be the last word, without a number after it.
            let isNumber =
                letter == Tape.Letter.double || letter == Tape.Letter.integer || letter == Tape.Letter.unsigned
            return (letter, isNumber ? tape.number(index) : 0)
        }
    }

    private func outside(_ range: ClosedRange<Int>) -> JSONError {
        error("must be an integer from \(range.lowerBound) to \(range.upperBound)")
    }
}

extension Double {
    /// The number for a message: `0.5`, `60`, `1e9`.
    package var brief: String { DecimalText.brief(self) }
}

extension Tape {
    /// Returns the number at `index` as a double; nil for another type.
    @inline(__always)
    func double(_ index: Int) -> Double? {
        switch letter(index) {
        case Letter.double: Double(bitPattern: number(index)) + 0.0  // -0.0 + 0.0 is 0.0
        case Letter.integer: Double(Int64(bitPattern: number(index)))
        case Letter.unsigned: Double(number(index))
        default: nil
        }
    }
}

extension JSONValue {
    /// The value as a string.
    package func string() throws(JSONError) -> String {
        guard letter == Tape.Letter.string else { throw mismatch("a string") }
        return withText { String(decoding: $0, as: UTF8.self) }
    }

    /// The value as a string of at most `limit` characters.
    ///
    /// A character is a Unicode scalar value, as `maxLength` in JSON Schema counts them: an emoji of several scalars
    /// counts several times, whatever their encoding.
    package func string(atMost limit: Int) throws(JSONError) -> String {
        let text = try string()
        // No string has more scalars than bytes.
        guard text.utf8.count <= limit || text.unicodeScalars.count <= limit else {
            throw error("must have at most \(limit) characters, had \(text.unicodeScalars.count)")
        }
        return text
    }

    /// The value as a case of an enumeration of texts.
    package func choice<Choice>(of type: Choice.Type = Choice.self) throws(JSONError) -> Choice
    where Choice: CaseIterable & RawRepresentable<String> {
        try choice(among: Choice.allCases)
    }

    /// The value as one of some cases of an enumeration of texts.
    package func choice<Choices>(among choices: Choices) throws(JSONError) -> Choices.Element
    where Choices: Collection, Choices.Element: RawRepresentable<String> {
        guard letter == Tape.Letter.string else { throw mismatch("a string") }
        for choice in choices {
            var word = choice.rawValue
            if word.withUTF8(isText) { return choice }
        }
        throw mustBe(oneOf: choices.map(\.rawValue))
    }

    /// Returns the error of a value that is none of these texts.
    package func mustBe(oneOf words: [String]) -> JSONError {
        error("must be one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))")
    }

    /// True when the value is the string `text`, byte for byte: no Unicode normalisation.
    package func isText(_ text: StaticString) -> Bool {
        letter == Tape.Letter.string && isText(text.bytes)
    }

    /// True when the value, which is a string, has these bytes.
    private func isText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        document.withTape { $0.isText(bytes, at: index) }
    }

    private func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        document.withTape { body($0.text(index)) }
    }
}

extension StaticString {
    /// The bytes of a literal, which are never freed.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}

extension Tape {
    /// True when the string at `index` has these bytes.
    @inline(__always)
    func isText(_ wanted: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let found = text(index)
        guard found.count == wanted.count else { return false }
        // Both addresses are good for `count` bytes; that of no bytes may be nil.
        guard let first = found.baseAddress, let second = wanted.baseAddress else { return true }
        return memcmp(first, second, found.count) == 0
    }
}
