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

    /// The types of RFC 8259, section 3, as they are called in a sentence.
    package enum Kind: String, Sendable {
        case null
        case bool = "a boolean"
        case number = "a number"
        case string = "a string"
        case array = "an array"
        case object = "an object"
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
        return JSONObject(self)
    }

    /// The elements of the value, which must be an array; only the first ones if it has more than `limit`.
    package func array(atMost limit: Int = .max) throws(JSONError) -> [JSONValue] {
        guard letter == Tape.Letter.array else { throw mismatch("an array") }
        return document.withTape { tape in
            tape.children(of: index).prefix(limit).map { JSONValue(document, $0) }
        }
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
    package func error(_ detail: String) -> JSONError { JSONError(self, detail: detail) }

    private var letter: UInt8 { document.withTape { $0.letter(index) } }

    /// The error of a value that has another type; `expected` with its article.
    private func mismatch(_ expected: String) -> JSONError {
        error("must be \(expected), was \(kind.rawValue)")
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
            throw error("must be from \(range.lowerBound.brief) to \(range.upperBound.brief)")
        }
        return value
    }

    /// The value as an integer in `range`: a number without a fraction, in any notation (`200`, `200.0`, `2e2`).
    ///
    /// With a point or an exponent it is read as a double, and refused from 2^53 on, where doubles stop being exact.
    package func integer(in range: ClosedRange<Int> = .min ... .max) throws(JSONError) -> Int {
        let value: Int?
        switch letter {
        case Tape.Letter.integer: value = document.withTape { Int(truncatingIfNeeded: $0.number(index)) }
        // The tape has this letter only for integers above Int64.max.
        case Tape.Letter.unsigned: value = nil
        case Tape.Letter.double:
            let number = try double()
            guard number == number.rounded(.towardZero) else { throw error("must be an integer") }
            value = abs(number) < 0x1p53 ? Int.clamping(number) : nil
        default: throw mismatch("an integer")
        }
        guard let value, range.contains(value) else {
            throw error("must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

extension JSONValue {
    /// The value as a string.
    package func string() throws(JSONError) -> String {
        guard letter == Tape.Letter.string else { throw mismatch("a string") }
        return document.withTape { String(decoding: $0.string(index), as: UTF8.self) }
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
        let text = try string()
        // Byte for byte: no Unicode normalisation.
        for choice in choices where choice.rawValue.utf8.elementsEqual(text.utf8) { return choice }
        throw mustBe(oneOf: choices.map(\.rawValue))
    }

    /// Returns the error of a value that is none of these texts.
    package func mustBe(oneOf words: [String]) -> JSONError {
        error("must be one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))")
    }

    /// True when the value is the string `text`, byte for byte: no Unicode normalisation.
    package func isText(_ text: StaticString) -> Bool {
        document.withTape { $0.letter(index) == Tape.Letter.string && $0.isText(text, at: index) }
    }
}

extension Double {
    /// The number for a message, with millions as `1e6`: `0.5`, `60`, `1e9`.
    package var brief: String {
        let text = String(unsafeUninitializedCapacity: DecimalText.maximumLength) { buffer in
            // The buffer has the requested capacity, so it has an address.
            buffer.baseAddress.map { DecimalText.write(self, to: $0) } ?? 0
        }
        let zeros = text.reversed().prefix { $0 == "0" }.count
        return zeros >= 6 && !text.contains(".") && !text.contains("e") ? "\(text.dropLast(zeros))e\(zeros)" : text
    }
}
