import Primitives
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite("CallBudget")
struct CallBudgetTests {
    /// Every case of `UpstreamError`, and whether it is the library's fault; UnsplashClientTests has every status.
    private static let table: [(UpstreamError, UpstreamError.Health)] = [
        (.rateLimited(retryAfter: .seconds(1)), .answer),
        (.credentials, .answer),
        (.notFound, .answer),
        (.invalidQuery(400, ""), .answer),
        (.refused(405), .answer),
        (.failed(.status(500)), .failure),
        (.failed(.unreachable), .failure),
        (.failed(.connectionLost), .failure),
        (.failed(.tls), .failure),
        (.invalid("not JSON"), .failure),
        (.timedOut, .failure),
        (.unusable("content too large"), .unknown),
        (.overloaded, .unknown),
        (.imageRejected(.redirected), .unknown),
        (.unavailable(retryAfter: .seconds(1)), .unknown),
        (.storeUnavailable, .unknown),
        (.cancelled, .unknown),
    ]

    private let clock = TestClock()

    private func budget() -> CallBudget {
        CallBudget(nil, limit: 1000, hourEnds: clock.instant + .seconds(3600)) { [clock] in clock.instant }
    }

    /// Makes calls that end with an error, until one is refused.
    private func fail(_ budget: CallBudget, with error: UpstreamError, times: Int) async {
        for _ in 0..<times where (try? await budget.enter(.client)) != nil { budget.leave(error, remainingCalls: nil) }
    }

    @Test("twenty errors in a row open the breaker if the library is at fault, and never otherwise", arguments: table)
    func opens(error: UpstreamError, health: UpstreamError.Health) async {
        #expect(error.health == health)
        let budget = budget()
        await fail(budget, with: error, times: 20)
        var refusal: UpstreamError?
        do { try await budget.enter(.client) } catch { refusal = error }
        let isOpen = if case .unavailable = refusal { true } else { false }
        #expect(isOpen == (health == .failure))
    }

    @Test("an error that is not the library's fault does not reset the count of failures", arguments: table)
    func neutral(error: UpstreamError, health: UpstreamError.Health) async {
        let budget = budget()
        await fail(budget, with: .timedOut, times: 4)
        await fail(budget, with: error, times: 1)
        let expected: CircuitBreaker.Condition =
            switch health {
            case .failure: .down
            case .unknown: .degraded
            case .answer: error == .credentials ? .down : .ok
            }
        #expect(budget.condition == expected)
    }

    @Test("one probe runs at a time, the pause doubles up to its limit, and an answer closes the breaker")
    func probes() async throws {
        let budget = budget()
        await fail(budget, with: .timedOut, times: 5)
        for pause in [2, 4, 8, 16, 30, 30] {
            let refusal = UpstreamError.unavailable(retryAfter: .seconds(pause))
            await #expect(throws: refusal) { try await budget.enter(.client) }
            clock.advance(seconds: pause)
            try await budget.enter(.client)
            await #expect(throws: UpstreamError.self) { try await budget.enter(.client) }
            // A probe that a limit of the service ends allows the next one.
            budget.leave(.unusable("content too large"), remainingCalls: nil)
            #expect(budget.condition == .down)
            try await budget.enter(.client)
            budget.leave(.timedOut, remainingCalls: nil)
        }
        clock.advance(seconds: 30)
        try await budget.enter(.client)
        budget.leave(nil, remainingCalls: nil)
        #expect(budget.condition == .ok)
        await fail(budget, with: .timedOut, times: 4)
        #expect(budget.condition == .degraded)
    }

    @Test("a pause is told as the library tells it, and ends with the hour at the latest", arguments: [4, 300, 9000])
    func pause(seconds: Int) async throws {
        let budget = budget()
        try await budget.enter(.client)
        let told = budget.leave(.rateLimited(retryAfter: .seconds(seconds)), remainingCalls: 0)
        let wait = min(seconds, 3600)
        #expect(told == .rateLimited(retryAfter: .seconds(wait)))
        clock.advance(seconds: wait - 1)
        #expect(budget.hour.remaining == 0)
        await #expect(throws: UpstreamError.rateLimited(retryAfter: .seconds(1))) { try await budget.enter(.client) }
        clock.advance(seconds: 1)
        try await budget.enter(.client)
    }
}
