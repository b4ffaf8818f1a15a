import HTTPExchange
import MicroHTTPServer
import Network
import TestSupport
import Testing

@Suite("Requests that proxies forward")
struct ForwardedRequestTests {
    @Test(
        "the scheme and the host of a trusted proxy are those of links, the last element counts",
        arguments: [
            ("", "http://a"), ("X-Forwarded-Proto: https\r\n", "https://a"),
            ("X-Forwarded-Proto: HTTPS\r\n", "https://a"),
            ("X-Forwarded-Proto: http, https\r\n", "https://a"), ("X-Forwarded-Proto: https, http\r\n", "http://a"),
            ("X-Forwarded-Proto: gopher\r\n", "http://a"),
            ("X-Forwarded-Host: b.example\r\nX-Forwarded-Proto: https\r\n", "https://b.example"),
            ("X-Forwarded-Host: b, c.example:8443\r\n", "http://c.example:8443"),
            ("X-Forwarded-Host: b\r\nX-Forwarded-Host: c.example\r\n", "http://c.example"),
            ("X-Forwarded-Host: b\u{600}, c.example\r\n", "http://c.example"),
            ("X-Forwarded-Host: b/c\r\n", "http://a"), ("X-Forwarded-Host:\r\n", "http://a"),
            ("X-Forwarded-Host: [2001:db8::7]:80\r\n", "http://[2001:db8::7]:80"),
        ]
    )
    func trusted(fields: String, expected: String) async throws {
        let loopback = try #require(CIDR("127.0.0.0/8"))
        try await withServer(
            configure: { $0.proxies = TrustedProxies([loopback]) },
            answer: { .now(.text($0.base(publicURL: nil))) }
        ) { fixture in
            let response = try fixture.connect().exchange(get("/", fields))
            #expect(response.text == expected)
        }
    }
}
