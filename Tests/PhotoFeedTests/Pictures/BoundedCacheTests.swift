import TestSupport
import Testing

@testable import PhotoFeed

@Suite("BoundedCache")
struct BoundedCacheTests {
    private typealias Cache<Policy: EvictionPolicy> = BoundedCache<Int, String, Policy>

    /// What must hold for every policy: the bound, the values, and that what is evicted is gone.
    private func stays<Policy: EvictionPolicy>(_ policy: Policy.Type, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = Cache<Policy>(capacity: 1000, largestShare: 0.1)
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
            let sum = (0..<60).reduce(0) { $0 + (cache.peek($1) == nil ? 0 : costs[$1] ?? 0) }
            #expect(cache.cost == sum)
        }
    }

    @Test("LRU stays within its bound", arguments: 0..<4) func lru(seed: UInt64) { stays(LRU.self, seed: seed) }
    @Test("SIEVE stays within its bound", arguments: 0..<4) func sieve(seed: UInt64) { stays(SIEVE.self, seed: seed) }
    @Test("S3-FIFO stays within its bound", arguments: 0..<4) func s3fifo(seed: UInt64) {
        stays(S3FIFO.self, seed: seed)
    }

    private func survivors<Policy: EvictionPolicy>(_ policy: Policy.Type, _ steps: (inout Cache<Policy>) -> Void)
        -> [Int]
    {
        var cache = Cache<Policy>(capacity: 3)
        steps(&cache)
        return (0..<20).filter { cache.peek($0) != nil }
    }

    @Test("LRU throws out what was not used for the longest time")
    func lruOrder() {
        let left = survivors(LRU.self) { cache in
            for key in [1, 2, 3] { cache.insert("", for: key, cost: 1) }
            _ = cache.value(for: 1)
            cache.insert("", for: 4, cost: 1)
        }
        #expect(left == [1, 3, 4])
    }

    /// By hand from the algorithm: the hand clears 1, takes 2, then stands at 3 and takes it, though 1 is the oldest.
    @Test("SIEVE spares what was read, and goes on from where it was")
    func sieveOrder() {
        let left = survivors(SIEVE.self) { cache in
            for key in [1, 2, 3] { cache.insert("", for: key, cost: 1) }
            _ = cache.value(for: 1)
            cache.insert("", for: 4, cost: 1)
            cache.insert("", for: 5, cost: 1)
        }
        #expect(left == [1, 4, 5])
    }

    @Test("S3-FIFO lets a scan pass through: what was read stays")
    func s3fifoScan() {
        var cache = Cache<S3FIFO>(capacity: 100)
        for key in 0..<20 {
            cache.insert("", for: key, cost: 1)
            _ = cache.value(for: key)
        }
        for key in 100..<400 { cache.insert("", for: key, cost: 1) }
        #expect((0..<20).allSatisfy { cache.peek($0) != nil })
    }
}
