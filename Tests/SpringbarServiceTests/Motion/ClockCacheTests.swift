import TestSupport
import Testing

@testable import SpringbarService

@Suite("The cache of answers")
struct ClockCacheTests {
    @Test("never costs more than its limit, and finds what it holds")
    func bounded() {
        var generator = SeededGenerator(seed: 3)
        var cache = ClockCache<Int>(limit: 1000)
        var kept = 0
        for _ in 0..<5000 {
            let number = Int.random(in: 0..<200, using: &generator)
            if let value = cache.value(for: "\(number)") {
                #expect(value == number)
                kept += 1
            } else {
                cache.insert(number, for: "\(number)", cost: Int.random(in: 1...60, using: &generator))
            }
            #expect(cache.cost <= 1000)
        }
        #expect(kept > 500)
    }

    @Test("keeps what is asked for and forgets what is not")
    func recency() {
        var cache = ClockCache<Int>(limit: 100)
        for number in 0..<10 { cache.insert(number, for: "\(number)", cost: 10) }
        for number in 10..<100 {
            _ = cache.value(for: "3")
            cache.insert(number, for: "\(number)", cost: 10)
        }
        #expect(cache.value(for: "3") == 3)
        #expect(cache.count == 10)
        #expect(cache.value(for: "4") == nil)
    }

    @Test("does not keep what would push out most of the others")
    func large() {
        var cache = ClockCache<Int>(limit: 100)
        cache.insert(1, for: "a", cost: 26)
        #expect(cache.count == 0)
    }
}
