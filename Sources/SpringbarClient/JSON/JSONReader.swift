/// Reads JSON (RFC 8259).
struct JSONReader {
    /// A text that is not JSON.
    struct Failure: Error {}

    /// The deepest nesting; the service's documents have less than ten levels.
    private static let depthLimit = 64

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the document in a text of UTF-8.
    static func document(_ bytes: [UInt8]) throws(Failure) -> JSONDocument {
        var reader = JSONReader(bytes)
        let document = try reader.value(depth: 0)
        reader.skipSpace()
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

    private mutating func value(depth: Int) throws(Failure) -> JSONDocument {
        guard depth < JSONReader.depthLimit else { throw Failure() }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
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

    private mutating func object(depth: Int) throws(Failure) -> JSONDocument {
        try require("{")
        var members: [JSONDocument.Member] = []
        skipSpace()
        if skip("}") { return .object(members) }
        repeat {
            skipSpace()
            let name = try string()
            skipSpace()
            try require(":")
            members.append(JSONDocument.Member(name: name, value: try value(depth: depth + 1)))
            skipSpace()
        } while skip(",")
        try require("}")
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONDocument {
        try require("[")
        var values: [JSONDocument] = []
        skipSpace()
        if skip("]") { return .array(values) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while skip(",")
        try require("]")
        return .array(values)
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

    private mutating func string() throws(Failure) -> String {
        try require("\"")
        var text: [UInt8] = []
        while true {
            guard let byte = next else { throw Failure() }
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
            case 0..<0x20: throw Failure()
            default: text.append(byte)
            }
        }
    }

    private mutating func escape() throws(Failure) -> Character {
        guard let byte = next else { throw Failure() }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"): return Character(try escapedScalar())
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
        default: throw Failure()
        }
    }

    /// Reads the digits of `\u`, and those of the second half of a pair.
    private mutating func escapedScalar() throws(Failure) -> Unicode.Scalar {
        let first = try codeUnit()
        guard 0xD800...0xDBFF ~= first else {
            guard let scalar = Unicode.Scalar(first) else { throw Failure() }
            return scalar
        }
        try require("\\")
        try require("u")
        let second = try codeUnit()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10 | UInt32(second - 0xDC00)))
        else { throw Failure() }
        return scalar
    }

    private mutating func codeUnit() throws(Failure) -> UInt16 {
        guard position + 4 <= bytes.count else { throw Failure() }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard let unit = UInt16(digits, radix: 16) else { throw Failure() }
        position += 4
        return unit
    }
}
