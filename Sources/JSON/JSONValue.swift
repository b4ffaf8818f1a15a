/// One value of a parsed document: a view, two words large, that keeps the document alive.
///
/// The accessors check the type and throw a ``JSONError`` with the pointer of the value. None converts: `"1"` is no
/// number and `0` is no boolean.
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
    package func object() throws(JSONError) -> JSONObject {
        guard letter == Tape.Letter.object else { throw mismatch("an object") }
        return JSONObject(document, index)
    }

    /// The value as an array.
    package func array() throws(JSONError) -> JSONArray {
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

    /// Where the value stands in its document (RFC 6901), such as `/events/7/contentOffset/y`.
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
