import HTTPExchange
import HTTPTypes
import Primitives
import Testing

@Suite
struct TrustedProxiesTests {
    private let application: Application

    init() throws {
        let networks = try ["10.0.0.0/8", "2001:db8::/32"].map { try #require(CIDR($0)) }
        application = try Application(
            [.get("/") { _, context in .now(.text(context.client ?? "-")) }],
            [TrustedProxies(networks)]
        )
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
            ("2001:db8::1", ["2001:DB9::7"], "2001:db9::7"),
            ("2001:db8::1", ["[2001:db9::7]:4711"], "2001:db9::7"),
            ("2001:db8::1", ["[2001:db9::7]"], "2001:db9::7"),
            ("2001:db8::1", ["[2001:db9::7"], "2001:db8::1"),
            ("2001:db8::1", ["[2001:db9::7]x"], "2001:db8::1"),
            ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ] as [(String, [String], String)]
    )
    func client(peer: String, forwarded: [String], expected: String) async throws {
        var asked = request(peer: peer)
        for value in forwarded { asked.fields.append(.xForwardedFor, value) }
        #expect(try await application.response(to: asked).text == expected)
    }

    @Test("X-Forwarded-For is ignored without a peer")
    func noPeer() async throws {
        let asked = request(.get, "/", [.xForwardedFor: "198.51.100.1"])
        #expect(try await application.response(to: asked).text == "-")
    }
}
