import Primitives
import Testing

@Suite("Shares of clients")
struct ClientSharesTests {
    private let first = ClientKey(bits: 1)
    private let second = ClientKey(bits: 2)

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
    func forgets() {
        let shares = ClientShares(limit: 3)
        #expect(shares.reserve(first))
        shares.release(first)
        shares.release(first)
        #expect(shares.count(of: first) == 0)
    }
}
