import Primitives
import Testing

@Suite("PercentEncoding")
struct PercentEncodingTests {
    @Test(
        "encodes all but unreserved characters, and decodes to the same text",
        arguments: [
            ("aZ09-._~", "aZ09-._~"), ("", ""), ("a b/c?&=%", "a%20b%2Fc%3F%26%3D%25"), ("ä🐐", "%C3%A4%F0%9F%90%90"),
        ]
    )
    func encode(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(Substring(encoded)) == text)
    }

    /// RFC 3986, sections 3.3 and 3.4.
    @Test(
        "encodes only what a path or query cannot contain",
        arguments: [
            ("/a/b?c=d&e=f,g;h", "/a/b?c=d&e=f,g;h"), ("/a b", "/a%20b"), ("/%41", "/%41"), ("/%4", "/%254"),
            ("/%zz", "/%25zz"), ("/<\"#>", "/%3C%22%23%3E"), ("/é", "/%C3%A9"), ("%", "%25"),
        ]
    )
    func encodeIllegal(text: String, expected: String) {
        #expect(PercentEncoding.encodeIllegal(in: text) == expected)
    }

    @Test(
        "refuses incomplete escapes, bytes that are not UTF-8 and control characters",
        arguments: [
            "%", "%4", "%zz", "%ff", "%00", "%7F", "a\u{1}", "\u{7F}", "%0a",
        ]
    )
    func refused(text: Substring) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test("reads a plus sign as a space in queries only")
    func plus() {
        #expect(PercentEncoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
        #expect(PercentEncoding.decode("a+b") == "a+b")
    }
}
