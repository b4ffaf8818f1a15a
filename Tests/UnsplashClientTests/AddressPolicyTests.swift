import Network
import Testing

@testable import UnsplashClient

@Suite("AddressPolicy")
struct AddressPolicyTests {
    /// From IANA's special-purpose address registries, and forms of addresses that once bypassed imgproxy's check.
    @Test(
        "addresses that are not public are refused",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.9.9.9", "169.254.169.254",
            "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1",
            "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fc00::1",
            "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1", "3fff::1", "5f00::1",
            // Embedded IPv4 addresses: mapped, compatible, NAT64 (two prefixes), 6to4, Teredo, ISATAP.
            "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::10.0.0.1", "::8.8.8.8",
            "64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::8.8.8.8", "2002:7f00:1::1", "2002:a00:1::",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2600::5efe:10.0.0.1", "2600::200:5efe:192.168.0.1",
        ]
    )
    func refused(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!AddressPolicy(allowsLoopback: false).permits(address))
    }

    @Test(
        "public addresses are allowed",
        arguments: [
            "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "151.101.1.181",
            "2606:4700::6812:1", "2a04:4e42::645", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
        ]
    )
    func allowed(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy(allowsLoopback: false).permits(address))
    }

    @Test("loopback is allowed if the library is configured there, and no other private address")
    func loopback() throws {
        let policy = AddressPolicy(allowsLoopback: true)
        for text in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            #expect(policy.permits(try #require(IPAddress(text))), "\(text)")
        }
        for text in ["10.0.0.1", "169.254.169.254", "2002:7f00:1::1", "64:ff9b::127.0.0.1", "fe80::1"] {
            #expect(!policy.permits(try #require(IPAddress(text))), "\(text)")
        }
    }
}

@Suite("WebAddress")
struct WebAddressTests {
    @Test("a URL is parsed as by libcurl")
    func parts() throws {
        let address = try #require(WebAddress("HTTPS://Images.Unsplash.COM/photo-1?w=200&ixid=a,b"))
        #expect(address.host == "images.unsplash.com")
        #expect(address.port == 443)
        #expect(address.target == "/photo-1?w=200&ixid=a,b")
        #expect(try #require(WebAddress("http://[::1]:8080/")).isLoopback)
        #expect(try #require(WebAddress("http://127.0.0.1:9/x")).isLoopback)
        #expect(try !#require(WebAddress("http://127.0.0.1.example.com/")).isLoopback)
    }

    @Test(
        "text that is not an HTTP URL, or has a user, is refused",
        arguments: [
            "", "images.unsplash.com", "ftp://images.unsplash.com/", "file:///etc/passwd", "https://user@host/",
            "https://images.unsplash.com@evil.example/", "https://", "https://a b/", "//host/x", "https://host:99999/",
            "http://[::1]:0/a", "https://images.unsplash.com/\u{596}", "https://images.unsplash.com\u{301}/x",
            "https://images%FF.unsplash.com/x", "https://images.unsplash.com/x\0.jpg",
        ]
    )
    func refused(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test("a list of hosts allows its hosts at their ports, over https unless the library is local")
    func hosts() throws {
        let origins = WebAddress.origins(of: ["images.unsplash.com", "cdn.example:8443"], allowsHTTP: false)
        func admits(_ text: String) throws -> Bool { origins.contains(where: try #require(WebAddress(text)).isAt) }
        #expect(try admits("https://images.unsplash.com/x"))
        #expect(try admits("https://IMAGES.unsplash.com:443/x"))
        #expect(try admits("https://cdn.example:8443/x"))
        #expect(try !admits("http://images.unsplash.com/x"))
        #expect(try !admits("https://images.unsplash.com:444/x"))
        #expect(try !admits("https://cdn.example/x"))
        #expect(try !admits("https://images.unsplash.com.evil.example/x"))
        #expect(try !admits("https://evil-images.unsplash.com/x"))
        let local = WebAddress.origins(of: ["127.0.0.1:8081"], allowsHTTP: true)
        #expect(local.contains(where: try #require(WebAddress("http://127.0.0.1:8081/x")).isAt))
        #expect(!local.contains(where: try #require(WebAddress("http://127.0.0.1:8082/x")).isAt))
    }
}
