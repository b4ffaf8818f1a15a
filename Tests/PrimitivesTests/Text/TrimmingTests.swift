import Primitives
import Testing

@Suite("Trimming")
struct TrimmingTests {
    @Test(
        "removes spaces and tabs at both ends and no other character",
        arguments: [("", ""), (" \t ", ""), (" a b\t", "a b"), ("a", "a"), ("\u{A0}a\n", "\u{A0}a\n"), (" é ", "é")]
    )
    func blanks(text: String, expected: String) {
        #expect(text[...].trimmingBlanks() == expected)
        #expect(Array(Array(text.utf8).trimmingBlanks()) == Array(expected.utf8))
    }
}
