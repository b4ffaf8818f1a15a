import Primitives

/// Reads the value of a field from left to right (RFC 9110, section 5.6): tokens, quoted strings, parameters, lists.
struct FieldScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        skipSpace()
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Goes past `byte` and the space around it; false, and nothing gone past, when another stands there.
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

    /// A token (section 5.6.2); nil when none begins here.
    mutating func token() -> String? {
        let start = position
        while position < bytes.count, FieldScanner.isTokenByte(bytes[position]) { position += 1 }
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// A quoted string without its quotes (section 5.6.4); nil when none begins here or it does not end.
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

    /// `;name=value` any number of times (section 5.6.6); nil when one is malformed.
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

    /// A character of a token (RFC 9110, section 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension FieldScanner {
    /// The elements of a list (section 5.6.1), without the space around them and without empty ones; a comma within a
    /// quoted string is part of it.
    static func elements(of text: String) -> [Substring] {
        var elements: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                append(text[start..<index], to: &elements)
                start = text.utf8.index(after: index)
            }
        }
        append(text[start...], to: &elements)
        return elements
    }

    private static func append(_ part: Substring, to elements: inout [Substring]) {
        let element = part.trimmingBlanks()
        if !element.isEmpty { elements.append(element) }
    }
}
