import SpringbarService
import Testing

@Suite("HTTPOrigin")
struct HTTPOriginTests {
    @Test(
        "An origin of an HTTP service is parsed",
        arguments: [
            ("https://api.unsplash.com", "https://api.unsplash.com", "api.unsplash.com", false),
            ("HTTP://LocalHost:8080/", "http://localhost:8080", "localhost", true),
            ("http://127.1.2.3:1/a/b/", "http://127.1.2.3:1/a/b", "127.1.2.3", true),
            ("http://[::1]:9/x", "http://[::1]:9/x", "::1", true),
            ("http://127.example.com", "http://127.example.com", "127.example.com", false),
        ]
    )
    func reads(text: String, written: String, host: String, isLoopback: Bool) throws {
        let origin = try #require(HTTPOrigin(text))
        #expect(origin.description == written)
        #expect(origin.host == host)
        #expect(origin.isLoopback == isLoopback)
    }

    @Test(
        "A text that is not an origin is refused",
        arguments: [
            "", "api.unsplash.com", "ftp://a", "http://", "http:///a", "http://a:0", "http://a:65536", "http://a:b",
            "http://user@a", "http://a?b", "http://a#b", "http://a b", "http://[::1", "http://[zz]", "http://a\\b",
            "http://ä.example",
        ]
    )
    func refuses(text: String) {
        #expect(HTTPOrigin(text) == nil)
    }
}
