import JSON
import Testing

/// A document of the tables, and why it is there.
struct Sample: Sendable, CustomTestStringConvertible {
    let why: String
    let bytes: [UInt8]
    /// For a good document, what our writer makes of it.
    let canonical: String

    init(_ why: String, _ text: String, _ canonical: String? = nil) {
        self.init(why, Array(text.utf8), canonical ?? text)
    }

    init(_ why: String, _ bytes: [UInt8], _ canonical: String = "") {
        self.why = why
        self.bytes = bytes
        self.canonical = canonical
    }

    var testDescription: String { why }
}

extension JSONWriter {
    /// Writes a value that was read.
    mutating func copy(_ source: JSONValue) throws {
        switch source.kind {
        case .null: null()
        case .bool: value(try source.bool())
        case .number:
            // As an integer where it is one, so that all 64 bits of it survive.
            if let integer = try? source.integer() { value(integer) } else { value(try source.double()) }
        case .string: value(try source.string())
        case .array:
            try array { json in
                for element in try source.array() { try json.copy(element) }
            }
        case .object:
            try object { json in
                for (name, member) in try source.object() {
                    json.key(name)
                    try json.copy(member)
                }
            }
        }
    }
}

/// Reads a document and writes it again.
func rewritten(_ bytes: [UInt8]) throws -> [UInt8] {
    var json = JSONWriter()
    try json.copy(try JSON.parse(bytes))
    return json.bytes
}

/// Reads a document and writes it again.
func rewritten(_ text: String) throws -> String {
    String(decoding: try rewritten(Array(text.utf8)), as: UTF8.self)
}
