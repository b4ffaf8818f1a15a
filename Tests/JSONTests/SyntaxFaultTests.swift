import Testing

@testable import JSON

/// Tests the description of a malformed text: the position, the expected text and the found text.
@Suite("Syntax faults")
struct SyntaxFaultTests {
    @Test(
        "the error names the expected and the found text, after as many bytes as are correct",
        arguments: [
            // Values, arrays and objects.
            ("x", 0, "must be a value, was `x`"), ("[1 2]", 3, "must be `,` or `]`, was `2`"),
            ("[}", 1, "must be a value or `]`, was `}`"), ("[1}", 2, "must be `,` or `]`, was `}`"),
            ("[1,]", 3, "must be another value after the comma, was `]`"), ("[1", 2, "must be `,` or `]`, was the end"),
            ("[1,", 3, "must be another value after the comma, was the end"),
            ("[1]]", 3, "must be the end of the text, was `]`"), (#"{"a" 1}"#, 5, "must be `:`, was `1`"),
            (#"{"a":}"#, 5, "must be a value, was `}`"), (#"{"a":]"#, 5, "must be a value, was `]`"),
            (#"{"a":1 "b"}"#, 7, "must be `,` or `}`, was `\"`"), (#"{"a":1"#, 6, "must be `,` or `}`, was the end"),
            (#"{"a":1,}"#, 7, "must be another name in double quotes after the comma, was `}`"),
            ("{a:1}", 1, "must be a name in double quotes or `}`, was `a`"),
            ("{,}", 1, "must be a name in double quotes or `}`, was `,`"),
            // Literals and numbers.
            ("nul", 3, "must be the rest of `null`, was the end"), ("nulx", 3, "must be the rest of `null`, was `x`"),
            ("tru", 3, "must be the rest of `true`, was the end"), ("truex", 4, "must be the end of the text, was `x`"),
            ("[nul]", 4, "must be the rest of `null`, was `]`"), ("01", 1, "must be the end of the text, was `1`"),
            ("-", 1, "must be a digit, was the end"), ("-x", 1, "must be a digit, was `x`"),
            ("- 1", 1, "must be a digit, was a space"), ("1.", 2, "must be a digit, was the end"),
            ("1.e", 2, "must be a digit, was `e`"), ("[1.]", 3, "must be a digit, was `]`"),
            ("1e", 2, "must be a digit, was the end"), ("1e+", 3, "must be a digit, was the end"),
            // Strings.
            (#"["\q"]"#, 3, "\(escapes), was `q`"), (#"["\u00g0"]"#, 6, "\(digits), was `g`"),
            (#"["\ud834"]"#, 2, "must be a whole surrogate pair, was one half"),
            (#"["\udd1e"]"#, 2, "must be a whole surrogate pair, was one half"),
            (#"["\ud834\u0041"]"#, 2, "must be a whole surrogate pair, was one half"),
            ("[\"a\n\"]", 3, "must be escaped in a string, was a line feed"),
            ("[\"\u{1}\"]", 2, "must be escaped in a string, was U+0001"),
            ("\"é\u{1}", 3, "must be escaped in a string, was U+0001"),
            (#"["a"#, 3, "must be the rest of a string and its `\"`, was the end"),
            // Notations of other languages have hints, but not within strings and numbers.
            ("['a']", 1, "must be a value or `]`, was `'`; strings must be in straight double quotes"),
            ("[“a”]", 1, "must be a value or `]`, was `“`; strings must be in straight double quotes"),
            ("[1 // one\n]", 3, "must be `,` or `]`, was `/`; JSON has no comments"),
            ("\u{FEFF}[]", 0, "must be a value, was U+FEFF, a byte order mark"),
            (#"["it\'s"]"#, 5, "\(escapes), was `'`"), (##"["\#"]"##, 3, "\(escapes), was `#`"),
            (##"["\u00#1"]"##, 6, "\(digits), was `#`"), ("[1.#]", 3, "must be a digit, was `#`"),
            // Only printable characters are quoted.
            ("[\u{202E}", 1, "must be a value or `]`, was U+202E"),
            ("[\u{301}", 1, "must be a value or `]`, was U+0301"),
        ] as [(String, Int, String)]
    )
    func hint(_ text: String, _ offset: Int, _ hint: String) throws {
        let fault = try #require(SyntaxFault.first(in: Array(text.utf8)))
        #expect(fault.offset == offset)
        let detail = fault.detail(in: Array(text.utf8))
        #expect(detail.hasPrefix("is not JSON: line "))
        #expect(detail.hasSuffix("(byte \(offset + 1)): \(hint)"), "\(detail)")
    }

    private static let escapes = #"must be one of `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after the `\`"#
    private static let digits = #"must be four hexadecimal digits after `\u`"#

    private func words(_ bytes: [UInt8]) -> String? {
        SyntaxFault.first(in: bytes)?.detail(in: bytes)
    }

    @Test(
        "a number out of range has its own fault",
        arguments: [
            ("1e999", "must fit into a double"), ("1.5e999", "must fit into a double"),
            ("18446744073709551616", "must fit into 64 bits, unless it has a point or an exponent"),
        ]
    )
    func number(_ text: String, _ hint: String) {
        #expect(words(Array("[\(text)]".utf8)) == "has a number out of range: line 1, column 2 (byte 2): \(hint)")
    }

    @Test("a byte that is not UTF-8 is reported, also where no token is expected")
    func encoding() {
        #expect(words([0x22, 0xFF, 0x22]) == "is not UTF-8: line 1, column 2 (byte 2): was the byte 0xFF")
        #expect(words([0x5B, 0xC3, 0x0A, 0x5D]) == "is not UTF-8: line 1, column 2 (byte 2): was the byte 0xC3")
        let (letter, half) = ([0x22, 0xC3, 0xA9, 0xC3, 0x22] as [UInt8], [0x22, 0xED, 0xA0, 0x80, 0x22] as [UInt8])
        #expect(words(letter) == "is not UTF-8: line 1, column 3 (byte 4): was the byte 0xC3")
        #expect(words(half) == "is not UTF-8: line 1, column 2 (byte 2): was the byte 0xED")
    }

    @Test(
        "positions are counted from 1: lines by line feeds, columns in characters",
        arguments: [
            ("x", 0, 1, 1), ("[1,\n  2,\n]", 9, 3, 1), ("[\r\n x", 4, 2, 2), (#"["é😀" x"#, 10, 1, 7),
            ("[\"é\n", 4, 1, 4), ("[\n", 2, 2, 1), ("", 0, 1, 1),
        ]
    )
    func place(_ text: String, _ offset: Int, _ line: Int, _ column: Int) {
        let place = SyntaxFault.position(of: offset, in: Array(text.utf8))
        #expect(place == "line \(line), column \(column) (byte \(offset + 1))")
    }

    @Test("the first fault of a document is reported")
    func document() {
        for (text, offset) in [("", 0), (" ", 1)] { #expect(SyntaxFault.first(in: Array(text.utf8))?.offset == offset) }
        let detail = "is not JSON: line 2, column 3 (byte 6): must be `,` or `]`, was `2`"
        for text in ["[1\n  2]", "[1\n  2, \"open"] {
            #expect(throws: JSONError(pointer: "", detail: detail, isMalformed: true)) {
                try JSON.parse(Array(text.utf8))
            }
        }
    }
}

extension SyntaxFault {
    /// The first fault of a document; nil for a valid one.
    static func first(in bytes: [UInt8]) -> SyntaxFault? {
        Document(bytes).withTape { Parser.parse($0, count: bytes.count).fault }
    }
}
