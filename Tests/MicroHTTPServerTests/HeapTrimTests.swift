import Testing

@testable import MicroHTTPServer

@Suite struct HeapTrimTests {
    /// Returns whether each of the sizes, in MiB, causes a trim; `seconds` lie between them.
    private func trims(_ mebibytes: [Int], every seconds: Int) -> [Bool] {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        var trim = HeapTrim(now: start)
        return mebibytes.enumerated().map { index, size in
            trim.isDue(bytes: size << 20, now: start + .seconds(index * seconds))
        }
    }

    @Test("the heap is trimmed once after each peak, one tick after the gauge has fallen to a quarter of it")
    func peaks() {
        #expect(trims([0, 4, 0, 7, 0, 0], every: 60) == [false, false, false, false, false, false])
        #expect(trims([0, 40, 60, 16, 15, 16, 15, 15], every: 60).firstIndex(of: true) == 7)
        #expect(trims([32, 0, 0, 0, 32, 0, 0], every: 60) == [false, false, true, false, false, false, true])
    }

    @Test("two trims are at least ten seconds apart")
    func interval() {
        #expect(
            trims([32, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0], every: 1).enumerated().filter(\.element).map(\.offset) == [
                2, 12,
            ]
        )
    }

    @Test("the rest of a peak is trimmed, too, when it has been released")
    func rest() {
        let start = MonotonicTime.now
        let later = start + HeapTrim.interval
        var trim = HeapTrim(now: start)
        let last = later + HeapTrim.interval
        let steps = [
            (28 << 20, start), (7 << 20, start), (7 << 20, start), (0, start), (0, start), (0, later), (0, last),
            (0, last),
        ]
        var due: [Bool] = []
        for (bytes, now) in steps { due.append(trim.isDue(bytes: bytes, now: now)) }
        #expect(due == [false, false, true, false, false, true, false, false])
    }
}
