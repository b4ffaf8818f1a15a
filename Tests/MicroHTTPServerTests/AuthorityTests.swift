import MicroHTTPServer
import Testing

@Suite struct AuthorityTests {
    @Test(
        "a host with or without a port is well formed (RFC 9110, 7.2)",
        arguments: [
            "a", "example.com", "example.com:80", "example.com:", "127.0.0.1:8080", "[::1]", "[::1]:8080", "[v1.a]",
            "a_b-c~d", "%41", "a!$&'()*+,;=",
        ]
    )
    func wellFormed(host: String) {
        #expect(Array(host.utf8).withUnsafeBufferPointer(Authority.isWellFormed))
    }

    @Test(
        "other text is refused",
        arguments: [
            "", ":80", "a b", "a/b", "a?b", "a#b", "user@a", "a:b", "a:80:80", "a:-1", "[::1", "::1", "[]", "[::1]a",
            "[::1%25eth0]", "a\u{FC}", "a\\b", "http://a",
        ]
    )
    func malformed(host: String) {
        #expect(!Array(host.utf8).withUnsafeBufferPointer(Authority.isWellFormed))
    }
}
