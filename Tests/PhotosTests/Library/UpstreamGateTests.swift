import Primitives
import Testing

@testable import Photos

@Suite("UpstreamGate")
struct UpstreamGateTests {
    /// Every case of `UpstreamError` with each kind of payload, and whether it is the library's fault.
    private static let table: [(UpstreamError, UpstreamError.Evidence)] = [
        (.rateLimited(retryAfter: .seconds(1)), .answer),
        (.credentials, .answer),
        (.notFound, .answer),
        (.invalidQuery(400, ""), .answer),
        (.invalidQuery(410, ""), .answer),
        (.invalidQuery(414, ""), .answer),
        (.invalidQuery(422, ""), .answer),
        (.refused(405), .answer),
        (.refused(408), .answer),
        (.failed(.status(500)), .failure),
        (.failed(.status(503)), .failure),
        (.failed(.unreachable), .failure),
        (.failed(.connectionLost), .failure),
        (.failed(.tls), .failure),
        (.invalid("not JSON"), .failure),
        (.timedOut, .failure),
        (.unusable("content too large"), .silence),
        (.unusable("status 302"), .silence),
        (.unusable("download location"), .silence),
        (.overloaded, .silence),
        (.imageRejected(.hostNotAllowed), .silence),
        (.imageRejected(.addressNotAllowed), .silence),
        (.imageRejected(.redirected), .silence),
        (.imageRejected(.tooLarge(limit: 1)), .silence),
        (.imageRejected(.tooManyPixels(limit: 1)), .silence),
        (.unavailable(retryAfter: .seconds(1)), .silence),
        (.storeUnavailable, .silence),
        (.cancelled, .silence),
    ]

    private let start = Instant.now

    private func gate() -> UpstreamGate {
        UpstreamGate(budget: HourlyBudget(limit: 1000, hourEnds: start + .seconds(3600)))
    }

    @Test("twenty errors in a row open the breaker if the library is at fault, and never otherwise", arguments: table)
    func opens(error: UpstreamError, evidence: UpstreamError.Evidence) {
        #expect(error.evidence == evidence)
        var gate = gate()
        for _ in 0..<20 {
            guard gate.permit(now: start) == nil else { break }
            gate.leave(error, remainingCalls: nil, now: start)
        }
        let isOpen = if case .unavailable = gate.permit(now: start) { true } else { false }
        #expect(isOpen == (evidence == .failure))
    }

    @Test("an error that is not the library's fault does not reset the count of failures", arguments: table)
    func neutral(error: UpstreamError, evidence: UpstreamError.Evidence) {
        var gate = gate()
        for _ in 0..<4 {
            _ = gate.permit(now: start)
            gate.leave(.timedOut, remainingCalls: nil, now: start)
        }
        _ = gate.permit(now: start)
        gate.leave(error, remainingCalls: nil, now: start)
        let expected: CircuitBreaker.Condition =
            switch evidence {
            case .failure: .down
            case .silence: .degraded
            case .answer: error == .credentials ? .down : .ok
            }
        #expect(gate.condition == expected)
    }

    @Test("a probe that a limit of the service ends allows the next one")
    func probe() {
        var gate = gate()
        for _ in 0..<5 {
            _ = gate.permit(now: start)
            gate.leave(.timedOut, remainingCalls: nil, now: start)
        }
        let later = start + .seconds(3)
        let first = gate.permit(now: later)
        #expect(first == nil)
        gate.leave(.unusable("content too large"), remainingCalls: nil, now: later)
        #expect(gate.condition == .down)
        let second = gate.permit(now: later)
        #expect(second == nil)
    }
}
