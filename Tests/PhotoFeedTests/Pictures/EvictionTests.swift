import TestSupport
import Testing

@testable import PhotoFeed

/// What the choice of a policy rests on; the figures are in docs/image-cache.md.
@Suite("Eviction of pictures")
struct EvictionTests {
    private static let picture = 100_000

    /// How many of ten thousand requests for a home screen are answered from 16 MiB, while others scroll past: three
    /// of four requests go through 2,000 pictures one after the other, the fourth takes one of fifty.
    private func homeScreenHits<Policy: EvictionPolicy>(_ policy: Policy.Type) -> Int {
        var random = SeededGenerator(seed: 7)
        var cache = BoundedCache<Int, Int, Policy>(capacity: 16 << 20, largestShare: 0.1)
        var hits = 0
        for request in 0..<40_000 {
            let isHome = request.isMultiple(of: 4)
            let key = isHome ? -.random(in: 1...50, using: &random) : request % 2000
            if cache.value(for: key) != nil {
                hits += isHome ? 1 : 0
            } else {
                cache.insert(key, for: key, cost: Self.picture)
            }
            #expect(cache.cost <= 16 << 20)
        }
        return hits
    }

    @Test("a scroll through 2,000 pictures does not push the hot ones out of 16 MiB")
    func hotSet() {
        let sieve = homeScreenHits(SIEVE.self)
        #expect(sieve > 9_900)
        #expect(homeScreenHits(S3FIFO.self) > 9_800)
        #expect(homeScreenHits(LRU.self) < 7_000, "which is why it is not LRU")
    }
}
