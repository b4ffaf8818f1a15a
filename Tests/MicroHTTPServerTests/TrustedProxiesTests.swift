import HTTPExchange
import MicroHTTPServer
import Network
import Testing

@Suite
struct TrustedProxiesTests {
    private let proxies: TrustedProxies

    init() throws {
        proxies = TrustedProxies(try ["10.0.0.0/8", "2001:db8::/32"].map { try #require(CIDR($0)) })
    }

    @Test(
        "the client is the rightmost address that is not a trusted proxy's",
        arguments: [
            ("192.0.2.9", ["198.51.100.1"], "192.0.2.9"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.7, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.7, 198.51.100.1, 10.9.9.9"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.7", "198.51.100.1,10.9.9.9"], "198.51.100.1"),
            ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            ("10.0.0.1", ["198.51.100.1, unknown"], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1, unknown, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", ["198.51.100.1,"], "10.0.0.1"),
            ("10.0.0.1", [""], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
            ("10.0.0.1", ["198.51.100.1:47:11"], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.7:\u{600}, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["\u{600}, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.7:\u{600}"], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.7:x"], "10.0.0.1"),
            ("2001:db8::1", ["2001:DB9::7"], "2001:db9::7"),
            ("2001:db8::1", ["[2001:db9::7]:4711"], "2001:db9::7"),
            ("2001:db8::1", ["[2001:db9::7]"], "2001:db9::7"),
            ("2001:db8::1", ["[2001:db9::7"], "2001:db8::1"),
            ("2001:db8::1", ["[2001:db9::7]x"], "2001:db8::1"),
            ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ] as [(String, [String], String)]
    )
    func client(peer: String, forwarded: [String], expected: String) throws {
        var fields: Fields = [:]
        for value in forwarded { fields.append(.xForwardedFor, value) }
        #expect(proxies.client(behind: try #require(IPAddress(peer)), fields).description == expected)
    }
}
