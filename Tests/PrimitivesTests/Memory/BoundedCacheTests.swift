import Primitives
import TestSupport
import Testing

@Suite("BoundedCache")
struct BoundedCacheTests {
    private typealias Cache = BoundedCache<Int, String>

    @Test("stays within its limit, and has exactly the stored values that it did not evict", arguments: 0..<4)
    func limit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = Cache(capacity: 1000, largestShare: 0.1)
        var costs: [Int: Int] = [:]
        for _ in 0..<5000 {
            let key = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                cache.remove(key)
                #expect(cache.peek(key) == nil)
            case 1...4:
                let cost = Int.random(in: 1...120, using: &random)
                let isIn = cache.insert("\(key)", for: key, cost: cost)
                #expect(isIn == (cost <= 100))
                #expect((cache.peek(key) != nil) == isIn)
                costs[key] = cost
            default:
                let value = cache.value(for: key)
                #expect(value == nil || value == "\(key)")
            }
            #expect(cache.cost <= 1000)
            let kept = (0..<60).filter { cache.peek($0) != nil }
            #expect(cache.count == kept.count)
            #expect(cache.cost == kept.reduce(0) { $0 + (costs[$1] ?? 0) })
        }
    }

    /// By hand from the algorithm: the hand clears 1, evicts 2, then is at 3 and evicts it, though 1 is the oldest.
    @Test("keeps entries that were read, and continues where the hand was")
    func order() {
        var cache = Cache(capacity: 3)
        for key in [1, 2, 3] { cache.insert("", for: key, cost: 1) }
        _ = cache.value(for: 1)
        cache.insert("", for: 4, cost: 1)
        cache.insert("", for: 5, cost: 1)
        #expect((0..<20).filter { cache.peek($0) != nil } == [1, 4, 5])
    }

    @Test("refuses an entry that costs more than its share, and removes the older one of the same key")
    func large() {
        var cache = BoundedCache<String, Int>(capacity: 100, largestShare: 0.25)
        cache.insert(0, for: "a", cost: 25)
        #expect(cache.count == 1)
        let isStored = cache.insert(1, for: "a", cost: 26)
        #expect(!isStored)
        #expect(cache.count == 0 && cache.cost == 0)
    }

    /// Three of four requests go through 2,000 pictures of 100 kB one after the other, the fourth takes one of fifty.
    @Test("a scroll through 2,000 pictures does not evict the hot ones from 16 MiB")
    func hotSet() {
        var random = SeededGenerator(seed: 7)
        var cache = BoundedCache<Int, Int>(capacity: 16 << 20, largestShare: 0.1)
        var hits = 0
        for request in 0..<40_000 {
            let isHome = request.isMultiple(of: 4)
            let key = isHome ? -.random(in: 1...50, using: &random) : request % 2000
            if cache.value(for: key) != nil {
                hits += isHome ? 1 : 0
            } else {
                cache.insert(key, for: key, cost: 100_000)
            }
            #expect(cache.cost <= 16 << 20)
        }
        #expect(hits > 9_900)
    }
}
