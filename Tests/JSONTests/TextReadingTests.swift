import JSON
import Testing

@Suite("Reading of strings")
struct TextReadingTests {
    private enum State: String, CaseIterable {
        case began
        case changed
        case ended
    }

    @Test(
        "characters are Unicode scalar values",
        arguments: [("", 0), ("abc", 3), ("äöü", 3), ("𝄞", 1), ("e\u{301}", 2), ("👩‍👩‍👧‍👦", 7)]
    )
    func limit(_ text: String, _ count: Int) throws {
        let value = try JSON.parse(Array("\"\(text)\"".utf8))
        #expect(try value.string(atMost: count) == text)
        #expect(try value.string(atMost: 100) == text)
        guard count > 0 else { return }
        try refused("", "must have at most \(count - 1) characters, had \(count)") {
            try value.string(atMost: count - 1)
        }
    }

    @Test("a value of an enumeration is found, and an error lists them")
    func choice() throws {
        let words = try JSON.parse(Array(#"["began","ended","Ended","end","",3,"ch\u0061nged"]"#.utf8)).array()
        #expect(try words[0].choice(of: State.self) == .began)
        #expect(try words[1].choice() == State.ended)
        #expect(try words[6].choice(of: State.self) == .changed)
        #expect(try words[1].choice(among: [State.changed, .ended]) == .ended)
        for position in 2...4 {
            try refused("/\(position)", #"must be one of "began", "changed", "ended""#) {
                try words[position].choice(of: State.self)
            }
        }
        try refused("/5", "must be a string, was a number") { try words[5].choice(of: State.self) }
        try refused("/0", #"must be one of "changed", "ended""#) {
            try words[0].choice(among: [State.changed, .ended])
        }
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

    @Test("text is compared byte for byte")
    func comparison() throws {
        let value = try JSON.parse(Array(#""caf\u00e9""#.utf8))
        #expect(value.isText("café"))
        #expect(!value.isText("cafe\u{301}"))
        #expect(!value.isText("caf"))
        #expect(!value.isText(""))
        #expect(try JSON.parse(Array(#""""#.utf8)).isText(""))
        #expect(try !JSON.parse(Array("1".utf8)).isText("1"))
    }
}
