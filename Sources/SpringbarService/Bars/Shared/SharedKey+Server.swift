import Primitives
package import SharedState

// The service divides its keys among the servers of a shared store.
//
// Bars, idempotency keys and the shares of clients are spread by their text: they are many, and each write concerns one
// bar. A request may need two servers, such as a creation with an idempotency key, but one after the other: the key
// names the bar before the bar exists, so a retry finds the same bar, whichever step was lost.
//
// All else is on the first server: the photos, their journal and leases, the budget and the reports of downloads. They
// are few, because every page costs a call of the photo API. Spread, they would need every server: a page alone needs
// its feed, its lease, the budget and the journal. The hours of the budget are also those of the first server's clock.

extension SharedKey {
    /// Returns the index of the server that has this key, of `count` servers in the order of the setting.
    package func server(of count: Int) -> Int {
        isSpread ? SharedKey.index(SipHash.hash(text), below: count) : 0
    }

    /// Whether the key is one of bars, of which there are many.
    private var isSpread: Bool {
        text.hasPrefix(CreationKey.prefix) || text.hasPrefix(SharedBar.Share.prefix) || BarID(text) != nil
    }

    /// Returns a number below `count` for a hash.
    ///
    /// If `count` grows by one, a hash keeps its number or gets the new one, with a chance of 1 in `count`. So a server at
    /// the end of the list takes its part of the bars, and the others stay (Lamping, Veach: "A Fast, Minimal Memory,
    /// Consistent Hash Algorithm", 2014, section 2). Each step takes the high half of a congruential generator, which has
    /// the long periods.
    static func index(_ hash: UInt64, below count: Int) -> Int {
        var index = 0
        var random = hash
        for next in 1..<max(count, 1) {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            if (random >> 32) % UInt64(next + 1) == 0 { index = next }
        }
        return index
    }
}
