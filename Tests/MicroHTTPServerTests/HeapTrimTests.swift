import Primitives
import Testing

@testable import MicroHTTPServer

@Suite struct HeapTrimTests {
    /// Returns whether each of the sizes, in MiB, causes a trim; `seconds` lie between them.
    private func trims(_ mebibytes: [Int], every seconds: Int) -> [Bool] {
        let start = Instant(nanoseconds: 1_000_000_000)
        var trim = HeapTrim(now: start)
        return mebibytes.enumerated().map { index, size in
            trim.isDue(bytes: size << 20, highest: size << 20, now: start + .seconds(index * seconds))
        }
    }

    @Test("the heap is trimmed twice after each peak of 8 MiB, when the gauge has fallen to a quarter of it")
    func peaks() {
        #expect(trims([0, 4, 0, 7, 0, 0], every: 60) == [false, false, false, false, false, false])
        #expect(trims([0, 40, 60, 16, 15, 16, 15], every: 60) == [false, false, false, false, true, true, false])
        #expect(trims([32, 0, 0, 0, 32, 0, 0], every: 60) == [false, true, true, false, false, true, true])
    }

    @Test("a peak between two ticks is seen")
    func shortPeak() {
        let budget = MemoryBudget(limit: 64 << 20)
        var trim = HeapTrim(now: .now)
        let before = trim.isDue(bytes: budget.bytes, highest: budget.resetHighest(), now: .now)
        #expect(budget.reserve(30 << 20))
        budget.release(30 << 20)
        let after = trim.isDue(bytes: budget.bytes, highest: budget.resetHighest(), now: .now)
        #expect(!before)
        #expect(after)
    }

    @Test("two trims are at least ten seconds apart")
    func interval() {
        let due = trims([32, 0, 0, 32] + Array(repeating: 0, count: 30), every: 1)
        #expect(due.enumerated().filter(\.element).map(\.offset) == [1, 11, 21])
    }
}
