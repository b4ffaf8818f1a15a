import CSimdJSON

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

    /// The value as one of the words of an enumeration.
    package func choice<Choice>(of type: Choice.Type = Choice.self) throws(JSONError) -> Choice
    where Choice: CaseIterable & RawRepresentable<String> {
        try choice(among: Choice.allCases)
    }

    /// The value as one of some words of an enumeration.
    package func choice<Choices>(among choices: Choices) throws(JSONError) -> Choices.Element
    where Choices: Collection, Choices.Element: RawRepresentable<String> {
        guard letter == Tape.Letter.string else { throw mismatch("a string") }
        for choice in choices {
            var word = choice.rawValue
            if word.withUTF8(isText) { return choice }
        }
        throw error("must be one of \(choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))")
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
    /// The bytes of a literal, which has them in memory for ever.
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
        return csimdjson_compare(first, second, found.count) == 0
    }
}
