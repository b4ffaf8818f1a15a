import JSON
import Testing

/// A document of the tables, with a reason if its text does not show it.
struct Sample: Sendable, CustomTestStringConvertible, ExpressibleByStringLiteral {
    let bytes: [UInt8]
    /// The canonical form of a good document.
    let canonical: String
    let testDescription: String

    init(stringLiteral text: String) {
        self.init(text, as: text)
    }

    init(_ text: String, as canonical: String) {
        self.init(text.debugDescription, text, canonical)
    }

    init(_ reason: String, _ text: String, _ canonical: String? = nil) {
        self.init(reason, Array(text.utf8), canonical ?? text)
    }

    init(_ reason: String, _ bytes: [UInt8], _ canonical: String = "") {
        (self.bytes, self.canonical, testDescription) = (bytes, canonical, reason)
    }
}

extension JSONWriter {
    /// Writes a value of a document.
    mutating func copy(_ source: JSONValue) throws {
        switch source.kind {
        case .null: null()
        case .bool: value(try source.bool())
        case .number:
            // Integers are written as integers, so that all 64 bits are kept.
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
