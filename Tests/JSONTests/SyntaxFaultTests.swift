import JSON
import Testing

/// Tests the description of a malformed text: the position, the expected text and the found text.
@Suite("Syntax faults")
struct SyntaxFaultTests {
    private func words(_ bytes: [UInt8]) -> String? {
        SyntaxFault.first(in: bytes)?.detail(in: bytes)
    }

    @Test(
        "the error names the expected and the found text",
        arguments: [
            ("x", "must be a value, was `x`"),
            ("[1 2]", "must be `,` or `]`, was `2`"),
            ("[}", "must be a value or `]`, was `}`"),
            ("[1,]", "must be another value after the comma, was `]`"),
            (#"{"a" 1}"#, "must be `:`, was `1`"),
            (#"{"a":}"#, "must be a value, was `}`"),
            (#"{"a":1 "b"}"#, "must be `,` or `}`, was `\"`"),
            (#"{"a":1,}"#, "must be another name in double quotes after the comma, was `}`"),
            (#"{a:1}"#, "must be a name in double quotes or `}`, was `a`"),
            ("[1]]", "must be the end of the text, was `]`"),
            ("[nul]", "must be the rest of `null`, was `]`"),
            ("01", "must be the end of the text, was `1`"),
            ("- 1", "must be a digit, was a space"),
            ("[1.]", "must be a digit, was `]`"),
            (#"["\q"]"#, #"must be one of `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after the `\`, was `q`"#),
            (#"["\u00g0"]"#, #"must be four hexadecimal digits after `\u`, was `g`"#),
            (#"["\ud834\u0041"]"#, "must be a whole surrogate pair, was one half"),
            ("[\"a\n\"]", "must be escaped in a string, was a line feed"),
            ("[\"\u{1}\"]", "must be escaped in a string, was U+0001"),
        ]
    )
    func hint(_ text: String, _ hint: String) throws {
        let detail = try #require(words(Array(text.utf8)))
        #expect(detail.hasPrefix("is not JSON: line "))
        #expect(detail.hasSuffix("): \(hint)"), "\(detail)")
    }

    @Test(
        "if something is missing, the end is the found text",
        arguments: [
            ("[1", "`,` or `]`"), (#"{"a":1"#, "`,` or `}`"),
            ("[1,", "another value after the comma"), (#"["a"#, "the rest of a string and its `\"`"),
            ("tru", "the rest of `true`"), ("1e", "a digit"),
        ]
    )
    func end(_ text: String, _ wanted: String) throws {
        let detail = try #require(words(Array(text.utf8)))
        #expect(detail.hasSuffix("): must be \(wanted), was the end"), "\(detail)")
    }

    @Test(
        "no other notation is recognised within strings and numbers",
        arguments: [
            (#"["it\'s"]"#, "after the `\\`, was `'`"),
            (##"["\#"]"##, "after the `\\`, was `#`"),
            (#"["\u00#1"]"#, "must be four hexadecimal digits after `\\u`, was `#`"),
            ("[1.#]", "must be a digit, was `#`"),
        ]
    )
    func inside(_ text: String, _ hint: String) throws {
        let detail = try #require(words(Array(text.utf8)))
        #expect(detail.hasSuffix(hint), "\(detail)")
    }

    @Test(
        "notations of other languages get specific errors",
        arguments: [
            ("['a']", "was `'`; strings must be in straight double quotes"),
            ("[“a”]", "was `“`; strings must be in straight double quotes"),
            ("[1 // one\n]", "was `/`; JSON has no comments"),
            ("\u{FEFF}[]", "was U+FEFF, a byte order mark"),
        ]
    )
    func others(_ text: String, _ ending: String) throws {
        #expect(try #require(words(Array(text.utf8))).hasSuffix(", \(ending)"))
    }

    @Test("only printable characters are quoted", arguments: [("\u{202E}", "202E"), ("\u{301}", "0301")])
    func invisible(_ character: String, _ number: String) {
        #expect(words(Array("[\(character)".utf8))?.hasSuffix(", was U+\(number)") == true)
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
        let detail = "is not JSON: line 2, column 3 (byte 6): must be `,` or `]`, was `2`"
        for text in ["[1\n  2]", "[1\n  2, \"open"] {
            #expect(throws: JSONError(pointer: "", detail: detail, isMalformed: true)) {
                try JSON.parse(Array(text.utf8))
            }
        }
    }
}
