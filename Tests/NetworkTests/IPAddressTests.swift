import Network
import Primitives
import TestSupport
import Testing

@Suite("IPAddress")
struct IPAddressTests {
    @Test(
        "writes each address as one text (RFC 5952, section 4; the examples of RFC 4291, section 2.2)",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::8:800:200C:417A", "2001:db8::8:800:200c:417a"),
            ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("FF01:0:0:0:0:0:0:101", "ff01::101"), ("0001:0002::", "1:2::"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("::13.1.68.3", "::13.1.68.3"),
            ("::ffff:129.144.52.38", "129.144.52.38"), ("::FFFF:8190:3426", "129.144.52.38"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ]
    )
    func text(text: String, expected: String) {
        #expect(IPAddress(text)?.description == expected)
    }

    @Test(
        "refuses other text",
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

    @Test("parses the text of any address back to the address")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            // The short form omits zeros.
            let groups = (0..<8).map { _ in
                Bool.random(using: &generator) ? 0 : UInt16.random(in: 0...UInt16.max, using: &generator)
            }
            let full = groups.map { String($0, radix: 16) }.joined(separator: ":")
            let address = try #require(IPAddress(full))
            #expect(IPAddress(address.description) == address)
            #expect(address.description.count <= max(full.count, 15))
        }
    }

    @Test("refuses text after a zero byte, where a C string ends")
    func zeroByte() {
        #expect(IPAddress("1.2.3.4\0") == nil)
        #expect(IPAddress("::1\0x") == nil)
    }

    @Test("reads a socket address, and refuses one that is cut short or of another family")
    func socketAddress() {
        // Family, port, and the address: sockaddr_in and sockaddr_in6 of x86-64 and arm64, in network order.
        let v4: [UInt8] = [2, 0, 0, 80, 192, 0, 2, 1] + Array(repeating: 0, count: 8)
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1]
        let v6: [UInt8] = [10, 0, 0, 80, 0, 0, 0, 0] + mapped + [0, 0, 0, 0]
        func address(_ bytes: some Collection<UInt8>) -> String? {
            Array(bytes).withUnsafeBytes { IPAddress(socketAddress: $0)?.description }
        }
        #expect(address(v4) == "192.0.2.1")
        #expect(address(v6) == "10.0.0.1")
        #expect(address(v4.dropLast()) == nil)
        #expect(address(v6.dropLast()) == nil)
        #expect(address([1, 0] + v4.dropFirst(2)) == nil)
        #expect(address([]) == nil)
    }

    @Test("an IPv6 client is its /64, and an IPv4 address written in IPv6 is the IPv4 address")
    func keys() {
        #expect(ClientKey("2001:db8:1:2::1") == ClientKey("2001:db8:1:2:ffff::9"))
        #expect(ClientKey("2001:db8:1:2::1") != ClientKey("2001:db8:1:3::1"))
        #expect(ClientKey("::ffff:192.0.2.1") == ClientKey("192.0.2.1"))
        #expect(ClientKey("") == nil)
        #expect(ClientKey("example.com") == nil)
    }
}
