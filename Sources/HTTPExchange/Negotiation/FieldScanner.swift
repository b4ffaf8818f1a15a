import Primitives

/// Parses the value of a field (RFC 9110, section 5.6): tokens, quoted strings, parameters, lists.
package struct FieldScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        skipSpace()
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Skips a byte and the white space around it; false, and nothing is skipped, if the next byte is another one.
    mutating func skip(_ byte: UInt8) -> Bool {
        let start = position
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else {
            position = start
            return false
        }
        position += 1
        skipSpace()
        return true
    }

    /// Parses a token (section 5.6.2); nil if there is none.
    mutating func token() -> String? {
        let start = position
        while position < bytes.count, FieldScanner.isTokenByte(bytes[position]) { position += 1 }
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Parses a quoted string (section 5.6.4) and returns it without quotes; nil if there is none, or it has no end.
    mutating func quotedString() -> String? {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var index = position + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < bytes.count else { return nil }
            text.append(bytes[index])
            index += 1
        }
        guard index < bytes.count else { return nil }
        position = index + 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses `;name=value`, any number of times (section 5.6.6); nil if one is malformed.
    mutating func parameters() -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        while skip(UInt8(ascii: ";")) {
            if isAtEnd || bytes[position] == UInt8(ascii: ";") { continue }
            guard let name = token(), position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return nil }
            position += 1
            guard let value = quotedString() ?? token() else { return nil }
            parameters.append((name, value))
        }
        skipSpace()
        return parameters
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\t") {
            position += 1
        }
    }

    /// Returns whether a byte is a character of a token (RFC 9110, section 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Returns the elements of a list (section 5.6.1) without white space around them and without empty ones; a comma in a
    /// quoted string does not separate.
    package static func elements(of text: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        let parts = text.utf8.split { byte in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        return parts.map { Substring($0).trimmingBlanks() }.filter { !$0.isEmpty }
    }
}
