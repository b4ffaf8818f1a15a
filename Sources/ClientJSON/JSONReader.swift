import Foundation

/// Reads JSON (RFC 8259), and each number as the nearest double.
///
/// The service confirms a prediction if all doubles are equal. Foundation does not document how its decoders round.
package struct JSONReader {
    package struct Failure: Error {}

    /// The deepest nesting; the service's documents have less than ten levels.
    private static let depthLimit = 64

    private let bytes: [UInt8]
    private var position = 0

    package static func document(_ bytes: [UInt8]) throws(Failure) -> JSONDocument {
        var reader = JSONReader(bytes: bytes)
        let document = try reader.value(depth: 0)
        guard reader.next == nil else { throw Failure() }
        return document
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips a byte; returns whether it was the next one.
    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func require(_ byte: Unicode.Scalar) throws(Failure) {
        guard skip(byte) else { throw Failure() }
    }

    /// Reads a value, and the space around it.
    private mutating func value(depth: Int) throws(Failure) -> JSONDocument {
        guard depth < JSONReader.depthLimit else { throw Failure() }
        skipSpace()
        defer { skipSpace() }
        switch next {
        case UInt8(ascii: "{"):
            return .object(
                try list("{", "}") { (reader) throws(Failure) in
                    reader.skipSpace()
                    let name = try reader.string()
                    reader.skipSpace()
                    try reader.require(":")
                    return JSONDocument.Member(name: name, value: try reader.value(depth: depth + 1))
                }
            )
        case UInt8(ascii: "["):
            return .array(try list("[", "]") { (reader) throws(Failure) in try reader.value(depth: depth + 1) })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONDocument) throws(Failure) -> JSONDocument {
        let text = Array("\(word)".utf8)
        guard bytes[position...].starts(with: text) else { throw Failure() }
        position += text.count
        return value
    }

    /// Reads elements with commas between them, each with the space around it.
    private mutating func list<Element>(
        _ open: Unicode.Scalar,
        _ close: Unicode.Scalar,
        _ element: (inout JSONReader) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        try require(open)
        skipSpace()
        var elements: [Element] = []
        if skip(close) { return elements }
        repeat { elements.append(try element(&self)) } while skip(",")
        try require(close)
        return elements
    }

    private mutating func number() throws(Failure) -> Double {
        let start = position
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.eE".utf8.contains(byte) {
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text), number.isFinite else { throw Failure() }
        return number
    }

    /// Reads a string; one with escapes is decoded by Foundation.
    private mutating func string() throws(Failure) -> String {
        let start = position
        var isEscaped = false
        try require("\"")
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Failure() }
            isEscaped = isEscaped || byte == UInt8(ascii: "\\")
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        try require("\"")
        let token = bytes[start..<position]
        guard isEscaped else { return String(decoding: token.dropFirst().dropLast(), as: UTF8.self) }
        let list = try? JSONDecoder().decode([String].self, from: Data("[".utf8 + token + "]".utf8))
        guard let text = list?.first else { throw Failure() }
        return text
    }
}
