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
        for choice in choices where isText(choice.rawValue) { return choice }
        throw error("must be one of \(choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))")
    }

    /// True when the value is the string `text`, byte for byte: no Unicode normalisation.
    package func isText(_ text: StaticString) -> Bool {
        guard letter == Tape.Letter.string else { return false }
        return document.withTape { $0.isText(text, at: index) }
    }

    /// True when the value is the string `text`, byte for byte.
    @_disfavoredOverload
    package func isText(_ text: String) -> Bool {
        guard letter == Tape.Letter.string else { return false }
        return document.withTape { $0.isText(text, at: index) }
    }

    private func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        document.withTape { body($0.text(index)) }
    }
}

extension Tape {
    /// True when the string at `index` has the bytes of `text`.
    func isText(_ text: StaticString, at index: Int) -> Bool {
        let found = self.text(index)
        guard found.count == text.utf8CodeUnitCount, let start = found.baseAddress else { return false }
        return csimdjson_compare(start, text.utf8Start, found.count) == 0
    }

    /// True when the string at `index` has the bytes of `text`.
    func isText(_ text: String, at index: Int) -> Bool {
        let found = self.text(index)
        var text = text
        return text.withUTF8 { wanted in
            // Both addresses are good for `count` bytes; the one of an empty string may be nil.
            guard wanted.count == found.count else { return false }
            guard let first = wanted.baseAddress, let second = found.baseAddress else { return true }
            return csimdjson_compare(first, second, wanted.count) == 0
        }
    }
}
