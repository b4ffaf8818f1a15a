import Primitives
import SharedState
import Testing

@testable import PhotoLibrary

@Suite("Freshness")
struct FreshnessTests {
    /// The bounds of the specification: 5 minutes, 1 hour, 24 hours.
    @Test(
        "a list goes through its four states",
        arguments: [
            (0, Freshness.State.fresh), (299, .fresh), (300, .stale), (3599, .stale), (3600, .onlyIfError),
            (86_399, .onlyIfError), (86_400, .expired),
        ]
    )
    func states(age: Int, state: Freshness.State) {
        #expect(Freshness.lists.state(age: .seconds(age)) == state)
    }
}

@Suite("HourlyBudget")
struct HourlyBudgetTests {
    private let start = Instant.now

    private func budget(_ limit: Int = 50) -> HourlyBudget {
        HourlyBudget(limit: limit, ends: start + .seconds(600))
    }

    private func granted(
        _ budget: inout HourlyBudget,
        _ purpose: HourlyBudget.Purpose = .client,
        tries: Int,
        after seconds: Int = 0
    ) -> Int {
        let now = start + .seconds(seconds)
        return (0..<tries).count { _ in
            guard budget.wait(for: purpose, now: now) == nil else { return false }
            budget.count(now: now)
            return true
        }
    }

    @Test("an exhausted budget is full again at the next hour, and not before")
    func nextHour() {
        var budget = budget()
        #expect(granted(&budget, tries: 60) == 50)
        for second in [0, 60, 599] {
            let wait = budget.wait(for: .client, now: start + .seconds(second))
            #expect(wait == .seconds(600 - second))
        }
        #expect(granted(&budget, tries: 60, after: 600) == 50)
        budget.roll(to: start + .seconds(600 + 3600 * 5))
        #expect(budget.remaining == 50)
    }

    @Test("the library's count lowers the budget's own count, and never raises it")
    func observes() {
        var budget = budget()
        #expect(granted(&budget, tries: 20) == 20)
        budget.observe(remaining: 49, now: start)
        #expect(budget.remaining == 30)
        budget.observe(remaining: 7, now: start)
        #expect(budget.remaining == 7)
        // An old count from the library's edge.
        #expect(granted(&budget, tries: 2) == 2)
        budget.observe(remaining: 7, now: start)
        #expect(budget.remaining == 5)
        #expect(granted(&budget, .background, tries: 1) == 0)
    }

    @Test("when the library has no calls left, nothing is sent for a minute, because its hour may end at another time")
    func pause() {
        var budget = budget()
        budget.observe(remaining: 2, now: start)
        #expect(granted(&budget, tries: 9) == 2)
        budget.observe(remaining: 0, now: start + .seconds(1))
        #expect(budget.remaining == 0)
        for purpose in [HourlyBudget.Purpose.client, .background] {
            let wait = budget.wait(for: purpose, now: start + .seconds(60))
            #expect(wait == .seconds(1))
        }
        #expect(granted(&budget, tries: 1, after: 61) == 1)
        budget.observe(remaining: 12, now: start + .seconds(61))
        #expect(budget.remaining == 12)
    }

    @Test("a later refusal does not shorten a pause, and neither does a count of zero")
    func longestPause() {
        var budget = budget()
        #expect(budget.pause(for: .seconds(300), now: start) == .seconds(300))
        #expect(budget.pause(for: .seconds(2), now: start + .seconds(1)) == .seconds(299))
        budget.observe(remaining: 0, now: start + .seconds(2))
        #expect(budget.wait(for: .client, now: start + .seconds(299)) == .seconds(1))
        #expect(budget.wait(for: .client, now: start + .seconds(300)) == nil)
    }

    @Test("the pauses of an hour never lead to more calls than its limit, and end with it")
    func pauses() {
        var budget = budget(5)
        var calls = 0
        for second in 0..<600 {
            let made = granted(&budget, tries: 2, after: second)
            if made > 0 { _ = budget.pause(for: .seconds(60), now: start + .seconds(second)) }
            calls += made
        }
        #expect(calls == 5)
        #expect(granted(&budget, tries: 9, after: 600) == 5)
    }

    @Test("numbers of the library that no list has end nothing", arguments: [Int.min, -1, .max])
    func extreme(remaining: Int) {
        var budget = budget()
        budget.observe(remaining: remaining, now: start)
        #expect(budget.remaining == (remaining < 0 ? 0 : 50))
        #expect(granted(&budget, tries: 9, after: 60) == 9)
    }

    @Test("the store's count is adopted, whatever the order of the replies")
    func adopts() {
        var budget = budget(5)
        func reply(_ hour: Int, _ used: Int) -> CountedCall {
            CountedCall(isAllowed: true, count: HourlyCount(hour: hour, used: used), secondsLeft: 100)
        }
        for (hour, used, remaining) in [(7, 2, 3), (7, 1, 3), (7, 4, 1), (8, 1, 4), (7, 5, 4)] {
            budget.adopt(reply(hour, used), now: start)
            #expect(budget.remaining == remaining)
        }
        let known = budget.known(now: start)
        #expect(known == HourlyCount(hour: 8, used: 1))
        // The next hour has no number until the store names it.
        let later = budget.known(now: start + .seconds(100))
        #expect(later == HourlyCount())
    }
}
