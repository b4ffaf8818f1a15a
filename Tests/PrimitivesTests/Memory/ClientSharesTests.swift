import Primitives
import Testing

@Suite("Shares of clients")
struct ClientSharesTests {
    private let first = ClientKey("192.0.2.1")
    private let second = ClientKey("192.0.2.2")

    @Test("a client has at most its share, regardless of other clients")
    func share() {
        let shares = ClientShares(limit: 2)
        #expect(shares.reserve(first))
        #expect(shares.reserve(first))
        #expect(!shares.reserve(first))
        #expect(shares.reserve(second))
        shares.release(first)
        #expect(shares.reserve(first))
        #expect(!shares.reserve(first))
    }

    @Test("a limit of 0 means no limit, and a client without an address is not limited")
    func unlimited() {
        let open = ClientShares(limit: 0)
        let shares = ClientShares(limit: 1)
        for _ in 0..<10 {
            #expect(open.reserve(first))
            #expect(shares.reserve(nil))
        }
    }

    @Test("a client that has released everything is forgotten")
    func forgets() throws {
        let shares = ClientShares(limit: 3)
        let client = try #require(first)
        #expect(shares.reserve(client))
        shares.release(client)
        shares.release(client)
        #expect(shares.count(of: client) == 0)
    }

    @Test("an IPv6 client is its /64, and an IPv4 address written in IPv6 is the IPv4 address")
    func keys() {
        #expect(ClientKey("2001:db8:1:2::1") == ClientKey("2001:db8:1:2:ffff::9"))
        #expect(ClientKey("2001:db8:1:2::1") != ClientKey("2001:db8:1:3::1"))
        #expect(ClientKey("::ffff:192.0.2.1") == first)
        #expect(ClientKey("") == nil)
        #expect(ClientKey("example.com") == nil)
    }
}
