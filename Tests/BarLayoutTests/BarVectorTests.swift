import BarLayout
import TestSupport
import Testing

@Suite("AirBar's behaviour in the golden cases")
struct BarVectorTests {
    static let vectors = Result { try BarVectors.load(.bar) }

    static var cases: [BarVectors.Case] { (try? vectors.get().cases) ?? [] }

    @Test("the file holds the sixty cases")
    func count() throws {
        #expect(try Self.vectors.get().cases.count == 60)
    }

    @Test("every step has AirBar's result", arguments: cases)
    func trace(_ testCase: BarVectors.Case) throws {
        var (session, outcome) = try testCase.body.bar()
        try expect(testCase.created, session, outcome, "created")
        for (index, step) in testCase.steps.enumerated() {
            outcome = try session.apply(step.event.model, rules: .test)
            try expect(step.expect, session, outcome, "step \(index)")
        }
    }

    @Test("taking a snapshot and restoring it between any two events changes nothing", arguments: cases)
    func restored(_ testCase: BarVectors.Case) throws {
        var (session, outcome) = try testCase.body.bar()
        for (index, step) in testCase.steps.enumerated() {
            var fresh = BarSession(
                restoring: session.snapshot,
                feedback: session.feedback,
                options: session.options,
                tracks: session.tracks
            )
            outcome = try fresh.apply(step.event.model, rules: .test)
            try expect(step.expect, fresh, outcome, "step \(index)")
            session.restore(fresh.snapshot)
        }
    }

    @Test("an explanation changes no other result", arguments: cases)
    func explained(_ testCase: BarVectors.Case) throws {
        var (session, outcome) = try testCase.body.bar(explaining: true)
        #expect(outcome.explanation?.rule == .attached)
        for (index, step) in testCase.steps.enumerated() {
            outcome = try session.apply(step.event.model, rules: .test, explaining: true)
            #expect(outcome.explanation != nil)
            try expect(step.expect, session, outcome, "step \(index)")
        }
    }

    private func expect(
        _ expected: BarVectors.Expectation?,
        _ session: BarSession,
        _ outcome: BarOutcome,
        _ place: Comment
    ) throws {
        let tolerance = try #require(try Self.vectors.get().tolerance)
        try #require(expected, place).check(session, outcome, tolerance: tolerance, place)
    }
}
