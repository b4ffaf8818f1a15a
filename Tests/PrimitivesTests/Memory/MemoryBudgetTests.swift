import Primitives
import Testing

@Suite("The memory budget")
struct MemoryBudgetTests {
    @Test("reserves up to its limit and no further")
    func limit() {
        let budget = MemoryBudget(limit: 100)
        #expect(budget.reserve(60))
        #expect(!budget.reserve(41))
        #expect(budget.reserve(40))
        #expect(budget.bytes == 100)
        #expect(budget.refusals == 1)
        budget.release(60)
        #expect(budget.reserve(41))
    }

    @Test("a refused reservation leaves nothing reserved")
    func refusalChangesNothing() {
        let budget = MemoryBudget(limit: 10)
        #expect(!budget.reserve(.max))
        #expect(budget.bytes == 0)
    }

    @Test("a charge above the limit is counted, and further reservations are refused")
    func charge() {
        let budget = MemoryBudget(limit: 10)
        budget.charge(25)
        #expect(budget.bytes == 25)
        #expect(!budget.reserve(1))
        budget.release(25)
        #expect(budget.reserve(1))
    }

    @Test("concurrent tasks that reserve and release never exceed the limit, and release all")
    func concurrent() async {
        let budget = MemoryBudget(limit: 1000)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var held = true
                    for _ in 0..<5000 where budget.reserve(300) {
                        held = held && budget.bytes <= 1000 + 8 * 300
                        budget.release(300)
                    }
                    return held
                }
            }
            for await held in group { #expect(held) }
        }
        #expect(budget.bytes == 0)
    }
}

@Suite("Converting floating-point numbers to integers")
struct ClampingTests {
    @Test(
        "every number has a result",
        arguments: [
            (0.0, 0), (-0.0, 0), (1.9, 1), (-1.9, -1), (Double.nan, 0), (Double.infinity, Int.max),
            (-Double.infinity, Int.min), (9.3e18, Int.max), (-9.3e18, Int.min), (0x1p63, Int.max),
            (0x1.fffffffffffffp62, 9_223_372_036_854_774_784), (-0x1p63, Int.min), (.leastNonzeroMagnitude, 0),
            (Double.greatestFiniteMagnitude, Int.max),
        ]
    )
    func clamps(value: Double, expected: Int) {
        #expect(Int.clamping(value) == expected)
    }

    @Test("smaller types clamp to their own bounds")
    func smallTypes() {
        #expect(UInt8.clamping(255.9) == 255)
        #expect(UInt8.clamping(256) == 255)
        #expect(UInt8.clamping(-0.5) == 0)
        #expect(Int32.clamping(1e10) == .max)
        #expect(UInt64.clamping(0x1p64) == .max)
    }

    @Test("a range bounds the result, and NaN is its lower end")
    func ranges() {
        #expect(Int.clamping(7.5, to: 1...5) == 5)
        #expect(Int.clamping(-7.5, to: 1...5) == 1)
        #expect(Int.clamping(.nan, to: 1...5) == 1)
        #expect(Int.clamping(3.2, to: 1...5) == 3)
    }
}
