/// The first fault of a text that is not JSON.
package struct SyntaxFault: Equatable {
    /// The number of bytes before the first wrong one; all of them if something is missing at the end.
    let offset: Int
    let reason: Reason

    /// The rule that is broken.
    enum Reason: Equatable {
        /// The grammar requires another part, which the text names: a value, a name, a comma.
        case wanted(String)
        /// A word, number or string must continue as the text says.
        case expected(String)
        /// A control character in a string, which has to be escaped (RFC 8259, section 7).
        case control
        /// An escape that is half of a surrogate pair (section 8.2).
        case halfPair
        /// An integer without an exponent that does not fit into 64 bits (section 6 permits such limits).
        case integer
        /// Another number that does not fit into a double.
        case number
        /// Only white space.
        case empty
        /// A container deeper than ``JSON/maximumDepth``.
        case depth
    }
}

// MARK: Description

extension SyntaxFault {
    /// Returns the fault, its position, the rule and the found text: "is not JSON: line 1, column 4 (byte 4): must be `,`
    /// or `]`, was `2`".
    package func detail(in bytes: [UInt8]) -> String {
        let position = SyntaxFault.position(of: offset, in: bytes)
        // If the first refused byte is not UTF-8 (RFC 8259, section 8.1), the fault is about the encoding.
        guard let (found, hint) = SyntaxFault.text(at: offset, in: bytes) else {
            let digits = String(bytes[offset], radix: 16, uppercase: true)
            return "is not UTF-8: \(position): was the byte 0x\(digits.count < 2 ? "0" : "")\(digits)"
        }
        return switch reason {
        case .wanted(let words): "is not JSON: \(position): must be \(words), was \(found)\(hint)"
        case .expected(let words): "is not JSON: \(position): must be \(words), was \(found)"
        case .control: "is not JSON: \(position): must be escaped in a string, was \(found)"
        case .halfPair: "is not JSON: \(position): must be a whole surrogate pair, was one half"
        case .integer:
            "has a number out of range: \(position): must fit into 64 bits, unless it has a point or an exponent"
        case .number: "has a number out of range: \(position): must fit into a double"
        case .empty: "is empty: must be one JSON value"
        case .depth: "must not have more than \(JSON.maximumDepth) levels"
        }
    }

    /// Returns the position after the first `offset` bytes, which must be UTF-8, as editors show it: counted from 1, and
    /// columns are characters (Unicode scalars).
    package static func position(of offset: Int, in bytes: [UInt8]) -> String {
        let before = bytes[..<offset]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        // Counts all bytes except for those that continue a character (RFC 3629, section 3: 10xxxxxx).
        let column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
        return "line \(line), column \(column) (byte \(1 + offset))"
    }

    /// Describes the text at a position, with a hint for text that other languages allow there; nil if it is not UTF-8.
    private static func text(at offset: Int, in bytes: [UInt8]) -> (found: String, hint: String)? {
        guard offset < bytes.count else { return ("the end", "") }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes[offset...].makeIterator()
        guard case .valid(let character) = parser.parseScalar(from: &rest) else { return nil }
        let scalar = Unicode.UTF8.decode(character)
        return switch scalar {
        case " ": ("a space", "")
        case "\n": ("a line feed", "")
        case "\u{FEFF}": ("U+FEFF", ", a byte order mark")
        case "'", "“", "”": ("`\(scalar)`", "; strings must be in straight double quotes")
        case "/", "#": ("`\(scalar)`", "; JSON has no comments")
        default: (scalar.isVisible ? "`\(scalar)`" : "U+\(scalar.number)", "")
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is visible alone: not a control, a space, a mark, or a character that changes the direction.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: false
        case .nonspacingMark, .spacingMark, .enclosingMark: false
        default: true
        }
    }

    /// The code point in at least four digits, as in the Unicode Standard.
    fileprivate var number: String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
