/// Reading JSON (RFC 8259), strictly.
///
/// simdjson parses a document as a whole, so what it refuses is refused before a single value is looked at: bad
/// syntax, bytes after the end, a byte order mark, invalid UTF-8, escapes that leave half a surrogate pair, control
/// characters in strings, numbers that are beyond a double, and integers of more than 64 bits (RFC 8259, section 6,
/// lets an implementation set such limits; `1e20` is the way to write those). On top of it, two things that the
/// grammar allows and a service must not: containers nested deeper than ``maximumDepth``, and two members of one name,
/// of which every reader takes another one.
///
/// Values are then taken out one by one, and each access says with a pointer what it did not like.
package enum JSON {
    /// How deep arrays and objects may be nested; `[[1]]` is two deep.
    package static let maximumDepth = 64

    /// Parses a document.
    ///
    /// The value keeps the parsed document alive and may be stored; the bytes are not needed any more.
    ///
    /// - Throws: A malformed ``JSONError``.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        JSONValue(try Document(parsing: bytes), Tape.root)
    }

    /// Parses a document and hands its value to `body`, which throws nothing else than what the reader throws.
    package static func parse<Result>(
        _ bytes: [UInt8],
        _ body: (JSONValue) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try body(try parse(bytes))
    }

    /// Parses a document and hands its value to `body`.
    ///
    /// - Throws: A malformed ``JSONError``, or what `body` throws.
    package static func parse<Result>(
        _ bytes: [UInt8],
        _ body: (JSONValue) throws -> Result
    ) throws -> Result {
        try body(try parse(bytes))
    }
}
