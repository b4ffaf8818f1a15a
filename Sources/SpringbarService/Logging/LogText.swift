import JSON

/// Escapes characters that terminals interpret, which clients can put into a path.
///
/// Controls (U+0000 to U+001F, U+007F to U+009F) move the cursor and change colours. Format characters such as U+202E
/// change the order in which a text is shown. Line and paragraph separators end a line for some readers.
enum LogText {
    /// Returns whether a character is escaped: Unicode's general categories Cc, Cf, Zl and Zp.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// Returns the text with hidden characters as `\u{202e}`, in UTF-8.
    static func escaped(_ text: String) -> [UInt8] {
        text.unicodeScalars.reduce(into: []) { bytes, scalar in
            bytes += isHidden(scalar) ? Array("\\u{\(String(scalar.value, radix: 16))}".utf8) : Array(scalar.utf8)
        }
    }

    /// Returns the text as a JSON string, with hidden characters as `\u202e` (RFC 8259, section 7).
    static func quoted(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { bytes.append(UInt8(ascii: "\\")) }
            if isHidden(scalar) {
                for unit in scalar.utf16 { bytes += "\\u\(String(0x10000 + Int(unit), radix: 16).dropFirst())".utf8 }
            } else {
                bytes += scalar.utf8
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }
}

extension JSONWriter {
    /// Writes a string as a value, with its hidden characters as `\u202e`: the document means the same.
    mutating func shown(_ text: String) {
        // Nearly all texts of log lines are ASCII. For these JSON's own escapes are sufficient, except for U+007F.
        let isPlain = text.utf8.span.withUnsafeBufferPointer { bytes in
            var bits: UInt8 = 0
            for byte in bytes { bits |= byte &+ 1 }
            return bits < 0x80
        }
        if isPlain { value(text) } else { raw(LogText.quoted(text)) }
    }

    /// Writes a member whose value is a string, with its hidden characters as `\u202e`.
    mutating func shown(_ name: StaticString, _ text: String) {
        key(name)
        shown(text)
    }
}
