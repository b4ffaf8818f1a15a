import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

@Suite
struct IPAddressTests {
    @Test(
        "An address has one text (RFC 5952, section 4; the examples of RFC 4291, section 2.2)",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::8:800:200C:417A", "2001:db8::8:800:200c:417a"),
            ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("FF01:0:0:0:0:0:0:101", "ff01::101"), ("0001:0002::", "1:2::"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("::13.1.68.3", "::d01:4403"),
            ("::ffff:129.144.52.38", "129.144.52.38"), ("::FFFF:8190:3426", "129.144.52.38"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ]
    )
    func text(text: String, expected: String) {
        #expect(IPAddress(text)?.description == expected)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", "localhost", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.", ".1.2.3", "1.2.3.4 ",
            " 1.2.3.4",
            "1.2.3.+4", "-1.2.3.4", "1.2.3.4/8", "0x1.2.3.4", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", ":::",
            ":",
            ":1", "1:", "12345::", "g::", "::1%eth0", "fe80::1%1", "1:2:3:4:5:6:7:8::", "::1.2.3", "1.2.3.4::",
            "::1.2.3.4:5", "[::1]", "1:2:3:4:5:6:7:1.2.3.4", "::ffff:1.2.3.04", "1:2:3:4:5:6:7::8",
        ]
    )
    func none(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("The text of any address reads back as the address")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            // Zeros are what the short form is about.
            let groups = (0..<8).map { _ in
                Bool.random(using: &generator) ? 0 : UInt16.random(in: 0...UInt16.max, using: &generator)
            }
            let full = groups.map { String($0, radix: 16) }.joined(separator: ":")
            let address = try #require(IPAddress(full))
            #expect(IPAddress(address.description) == address)
            #expect(address.description.count <= max(full.count, 15))
        }
    }
}

@Suite
struct CIDRTests {
    @Test(
        "A network contains the addresses that begin as it does",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3/8", "10.9.9.9", true),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "::1", false), ("::/0", "::1", true), ("::/0", "8.8.8.8", false),
            ("10.0.0.0/31", "10.0.0.1", true), ("10.0.0.0/31", "10.0.0.2", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
            ("2001:db8::/33", "2001:db8:8000::", false), ("::1/128", "::1", true), ("::1", "::2", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("::ffff:10.0.0.0/104", "10.1.1.1", true),
            ("::ffff:10.0.0.0/104", "11.1.1.1", false),
        ]
    )
    func contains(network: String, address: String, expected: Bool) throws {
        #expect(try #require(CIDR(network)).contains(#require(IPAddress(address))) == expected)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/x",
            "::/129",
            "::ffff:10.0.0.0/95", "10/8", "10.0.0.0/ 8", "localhost/8",
        ]
    )
    func none(text: String) {
        #expect(CIDR(text) == nil)
    }

    @Test("A network is written with the bits behind its prefix 0")
    func text() {
        #expect(CIDR("10.1.2.3/8")?.description == "10.0.0.0/8")
        #expect(CIDR("2001:db8::1/32")?.description == "2001:db8::/32")
        #expect(CIDR("::1")?.description == "::1/128")
    }
}

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
        "The client is the rightmost address that is not a trusted proxy's",
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

    @Test("Without a peer nobody is believed")
    func noPeer() async throws {
        let asked = request(.get, "/", [.xForwardedFor: "198.51.100.1"])
        #expect(try await application.response(to: asked).text == "-")
    }
}
