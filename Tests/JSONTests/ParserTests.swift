import Testing

@testable import JSON

@Suite("Parser")
struct ParserTests {
    @Test(
        "the offset of a fault is the number of correct bytes before it",
        arguments: [
            ("", 0), (" ", 1), ("x", 0), ("[1,]", 3), ("[1 2]", 3), (#"{"a" 1}"#, 5), (#"{"a":1"#, 6), ("[1]]", 3),
            ("nul", 3), ("nulx", 3), ("truex", 4), ("01", 1), ("-", 1), ("-x", 1), ("1.", 2), ("1.e", 2), ("1e+", 3),
            ("[1e999]", 1), ("[18446744073709551616]", 1), (#"["\x"]"#, 3), (#"["\u00g0"]"#, 6), (#"["\ud834"]"#, 2),
            (#"["\udd1e"]"#, 2), (#"["\ud834\u0041"]"#, 2), ("[\"\n\"]", 2), ("\"é\u{1}", 3), ("{,}", 1), ("[}", 1),
            ("{\"a\":]", 5), ("[1}", 2),
        ]
    )
    func place(_ text: String, _ place: Int) {
        #expect(SyntaxFault.first(in: Array(text.utf8))?.offset == place)
    }

    @Test(
        "half of a surrogate pair can be read as U+FFFD",
        arguments: [
            (#""\ud834""#, "\u{FFFD}"), (#""\udd1e!""#, "\u{FFFD}!"), (#""\ud834\u0041""#, "\u{FFFD}A"),
            (#""\ud834\n""#, "\u{FFFD}\n"), (#""\ud834\ud834\udd1e""#, "\u{FFFD}𝄞"), (#""\ud834\udd1e""#, "𝄞"),
            (#""\ud834é\udd1e""#, "\u{FFFD}é\u{FFFD}"),
        ]
    )
    func halfPairs(text: String, value: String) throws {
        #expect(try JSON.parse(Array(text.utf8), replacesHalfPairs: true).string() == value)
        #expect(throws: JSONError.self) { try JSON.parse(Array(#"["\ud834\u00g0"]"#.utf8), replacesHalfPairs: true) }
    }

    @Test("a wrong byte of UTF-8 has its offset")
    func encoding() {
        #expect(SyntaxFault.first(in: [0x22, 0xC3, 0xA9, 0xC3, 0x22])?.offset == 3)
        #expect(SyntaxFault.first(in: [0x22, 0xED, 0xA0, 0x80, 0x22])?.offset == 1)
        #expect(SyntaxFault.first(in: [0xEF, 0xBB, 0xBF, 0x5B, 0x5D])?.offset == 0)
    }
}

extension SyntaxFault {
    /// The first fault of a document; nil for a valid one.
    static func first(in bytes: [UInt8]) -> SyntaxFault? {
        Document(bytes).withTape { Parser.parse($0, count: bytes.count).fault }
    }
}
