import Primitives
import Synchronization
import Testing

@Suite("The memory budget")
struct MemoryBudgetTests {
    private let one = ClientKey(bits: 1)
    private let other = ClientKey(bits: 2)

    @Test("reserves up to fifteen sixteenths, and the rest for operations")
    func limit() {
        let budget = MemoryBudget(limit: 160)
        #expect(budget.reserve(90))
        #expect(!budget.reserve(61))
        #expect(budget.reserve(60))
        #expect(budget.refusals == 1)
        #expect(!budget.reserve(1) && !budget.fits(1))
        #expect(budget.reserve(10, isOperation: true) && !budget.reserve(1, isOperation: true))
        #expect(budget.bytes == 160)
        budget.release(100)
        #expect(budget.reserve(61))
    }

    @Test("a client has half of it, and a sixteenth more for operations")
    func share() {
        let budget = MemoryBudget(limit: 160)
        #expect(budget.reserve(80, for: one))
        #expect(!budget.reserve(1, for: one) && !budget.fits(1, for: one))
        #expect(budget.reserve(10, for: one, isOperation: true) && !budget.reserve(1, for: one, isOperation: true))
        #expect(budget.fits(60, for: other) && budget.reserve(60, for: other))
        budget.release(90, of: one)
        #expect(budget.reserve(80, for: one))
    }

    @Test("tells who lacks memory: a client alone, or everyone")
    func lacking() {
        let budget = MemoryBudget(limit: 160)
        func expect(isEveryone: Bool, _ clients: Set<ClientKey>) {
            let lacking = budget.takeLacking()
            #expect(lacking.isEveryone == isEveryone && lacking.clients == clients)
        }
        #expect(budget.reserve(80, for: one))
        expect(isEveryone: false, [])
        #expect(!budget.reserve(1, for: one) && !budget.fits(1, for: one))
        expect(isEveryone: false, [one])
        #expect(!budget.reserve(71, for: other))
        expect(isEveryone: true, [])
        expect(isEveryone: false, [])
        #expect(budget.refusals == 3)
    }

    @Test("a refused reservation leaves nothing reserved", arguments: [nil, ClientKey(bits: 1)])
    func refusalChangesNothing(client: ClientKey?) {
        let budget = MemoryBudget(limit: 160)
        #expect(!budget.reserve(.max, for: client))
        #expect(budget.reserve(80))
        #expect(!budget.reserve(75, for: client), "the share would allow it")
        budget.release(80)
        #expect(budget.reserve(80, for: client) && budget.bytes == 80)
    }

    @Test("an unlimited budget refuses nothing")
    func unlimited() {
        let account = MemoryAccount(.unlimited, client: one)
        #expect(account.reserve(1 << 40) && account.reserve(1 << 40))
    }

    private final class Holders: Sendable {
        let count = Atomic(0)
    }

    @Test("concurrent tasks that reserve and release never exceed the limit, and release all")
    func concurrent() async {
        let budget = MemoryBudget(limit: 1000)
        // Those that have a reservation: three at most fit.
        let holders = Holders()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var most = 0
                    for _ in 0..<5000 where budget.reserve(300) {
                        most = max(most, holders.count.add(1, ordering: .sequentiallyConsistent).newValue)
                        holders.count.subtract(1, ordering: .sequentiallyConsistent)
                        budget.release(300)
                    }
                    return most
                }
            }
            for await most in group { #expect(1...3 ~= most) }
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
