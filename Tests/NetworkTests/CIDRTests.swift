import Network
import Testing

@Suite("CIDR")
struct CIDRTests {
    @Test(
        "contains the addresses that begin with its prefix",
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
        "refuses other text",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/x",
            "::/129",
            "::ffff:10.0.0.0/95", "10/8", "10.0.0.0/ 8", "localhost/8",
        ]
    )
    func none(text: String) {
        #expect(CIDR(text) == nil)
    }

    @Test("writes the bits after its prefix as 0")
    func text() {
        #expect(CIDR("10.1.2.3/8")?.description == "10.0.0.0/8")
        #expect(CIDR("2001:db8::1/32")?.description == "2001:db8::/32")
        #expect(CIDR("::1")?.description == "::1/128")
    }
}
