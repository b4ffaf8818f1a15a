import SpringbarService
import Testing

@Suite("HTTPOrigin")
struct HTTPOriginTests {
    @Test(
        "An origin of an HTTP service is parsed",
        arguments: [
            ("https://api.unsplash.com", "https://api.unsplash.com"),
            ("HTTP://LocalHost:8080/", "http://localhost:8080"),
            ("http://127.1.2.3:1/a/b/", "http://127.1.2.3:1/a/b"), ("https://a:443", "https://a"),
            ("http://[::1]:80", "http://[::1]"), ("http://a:03000", "http://a:3000"), ("http://a:443", "http://a:443"),
            ("http://[::1]:9/x", "http://[::1]:9/x"),
        ]
    )
    func reads(text: String, written: String) throws {
        #expect(try #require(HTTPOrigin(text)).description == written)
    }

    @Test(
        "A text that is not an origin is refused",
        arguments: [
            "", "api.unsplash.com", "ftp://a", "http://", "http:///a", "http://a:0", "http://a:65536", "http://a:b",
            "http://user@a", "http://a?b", "http://a#b", "http://a b", "http://[::1", "http://[zz]", "http://a\\b",
            "http://ä.example", "http://a/b>c", "http://a/\"b",
        ]
    )
    func refuses(text: String) {
        #expect(HTTPOrigin(text) == nil)
    }
}
