import Primitives
import Testing

@testable import Photos

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
        HourlyBudget(limit: limit, hourEnds: start + .seconds(600))
    }

    private func granted(_ budget: inout HourlyBudget, _ purpose: HourlyBudget.Purpose, tries: Int) -> Int {
        (0..<tries).count { _ in budget.spend(for: purpose, now: start) == nil }
    }

    @Test("clients may use every call, background work only a fifth of them")
    func shares() {
        var budget = budget()
        #expect(granted(&budget, .background, tries: 100) == 10)
        #expect(granted(&budget, .client, tries: 100) == 40)
        #expect(budget.remaining(now: start) == 0)
    }

    @Test("an exhausted budget is full again at the next hour; until then a refusal names the next probe")
    func nextHour() {
        var budget = budget()
        #expect(granted(&budget, .client, tries: 50) == 50)
        let verdict = budget.spend(for: .client, now: start + .seconds(20))
        #expect(verdict == .seconds(40), "until the next probe")
        let next = budget.spend(for: .client, now: start + .seconds(600))
        #expect(next == nil)
        let left = budget.remaining(now: start + .seconds(600 + 3600 * 5))
        #expect(left == 50)
    }

    @Test("the library's count lowers the budget's own count, and never raises it")
    func observes() {
        var budget = budget()
        #expect(granted(&budget, .client, tries: 20) == 20)
        budget.observe(remaining: 49, now: start)
        let kept = budget.remaining(now: start)
        #expect(kept == 30)
        budget.observe(remaining: 7, now: start)
        let corrected = budget.remaining(now: start)
        #expect(corrected == 7)
    }

    @Test("when the library's limit is exhausted, one probe a minute tests whether it has ended")
    func probes() {
        var budget = budget()
        budget.refused(now: start)
        let first = budget.spend(for: .client, now: start + .seconds(59))
        #expect(first == .seconds(1))
        let background = budget.spend(for: .background, now: start + .seconds(60))
        #expect(background != nil)
        let probe = budget.spend(for: .client, now: start + .seconds(60))
        #expect(probe == nil)
        let second = budget.spend(for: .client, now: start + .seconds(60))
        #expect(second == .seconds(60))
        budget.observe(remaining: 12, now: start + .seconds(61))
        let left = budget.remaining(now: start + .seconds(61))
        #expect(left == 12)
    }

    @Test("the budget's own limit is probed once a minute, too, because the library's hour may have begun")
    func probesOurCount() {
        var budget = budget()
        #expect(granted(&budget, .client, tries: 51) == 50)
        let probe = budget.spend(for: .client, now: start + .seconds(60))
        #expect(probe == nil)
        budget.observe(remaining: 0, now: start + .seconds(60))
        let next = budget.spend(for: .client, now: start + .seconds(61))
        #expect(next == .seconds(59))
    }

    @Test("responses to earlier calls do not restore the budget, whatever count they report")
    func answersFromBefore() {
        var budget = budget()
        #expect(granted(&budget, .client, tries: 50) == 50)
        for remaining in [50, 7, 49, 1] { budget.observe(remaining: remaining, now: start) }
        #expect(granted(&budget, .client, tries: 10) == 0)
    }

    @Test("a limit below the library's holds for the whole hour")
    func lowerThanTheLibrarys() {
        var budget = budget(10)
        for call in 1...10 {
            #expect(granted(&budget, .client, tries: 1) == 1)
            budget.observe(remaining: 1000 - call, now: start)
        }
        for minute in 1...9 {
            let verdict = budget.spend(for: .client, now: start + .seconds(60 * minute))
            #expect(verdict == .seconds(600 - 60 * minute))
        }
        let next = budget.spend(for: .client, now: start + .seconds(600))
        #expect(next == nil)
    }

    @Test("an old count from the library's edge does not restore used calls")
    func storedCount() {
        var budget = budget()
        budget.observe(remaining: 3, now: start)
        #expect(granted(&budget, .client, tries: 2) == 2)
        budget.observe(remaining: 3, now: start)
        let left = budget.remaining(now: start)
        #expect(left == 1)
    }
}

@Suite("CircuitBreaker")
struct CircuitBreakerTests {
    private let start = Instant.now

    private func opened() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.record(.failure, now: start) }
        return breaker
    }

    @Test("it opens at the threshold, and a success resets the count")
    func opens() {
        var breaker = CircuitBreaker()
        for _ in 0..<4 { breaker.record(.failure, now: start) }
        #expect(breaker.condition == .degraded)
        breaker.record(.answer, now: start)
        #expect(breaker.condition == .ok)
        for _ in 0..<4 { breaker.record(.failure, now: start) }
        let before = breaker.permit(now: start)
        #expect(before == nil)
        breaker.record(.failure, now: start)
        let after = breaker.permit(now: start)
        #expect(after == .seconds(2))
        #expect(breaker.condition == .down)
    }

    @Test("one probe runs at a time, and the pause doubles up to its limit")
    func probes() {
        var breaker = opened()
        let probe = breaker.permit(now: start + .seconds(2))
        #expect(probe == nil)
        let beside = breaker.permit(now: start + .seconds(2))
        #expect(beside != nil)
        var now = start + .seconds(2)
        for pause in [4, 8, 16, 30, 30] {
            breaker.record(.failure, now: now)
            let paused = breaker.permit(now: now)
            #expect(paused == .seconds(pause))
            now += .seconds(pause)
            let next = breaker.permit(now: now)
            #expect(next == nil)
        }
    }

    @Test("a successful probe closes it, and an abandoned one allows the next")
    func closes() {
        var breaker = opened()
        _ = breaker.permit(now: start + .seconds(2))
        breaker.record(.silence, now: start + .seconds(2))
        let next = breaker.permit(now: start + .seconds(2))
        #expect(next == nil)
        breaker.record(.answer, now: start)
        #expect(breaker.condition == .ok)
    }
}
