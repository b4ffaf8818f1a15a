import BarLayout
import TestSupport
import Testing

@Suite("AirBar's behaviour in the golden cases")
struct BarVectorTests {
    static let vectors = Result { try BarVectors.load() }

    static var cases: [BarVectors.Case] { (try? vectors.get().cases) ?? [] }

    @Test("the file holds the sixty cases")
    func count() throws {
        #expect(try Self.vectors.get().cases.count == 60)
    }

    @Test("every step has AirBar's result", arguments: cases)
    func trace(_ testCase: BarVectors.Case) throws {
        var (session, outcome) = try testCase.attached()
        try expect(testCase.created, session, outcome, "created")
        for (index, step) in testCase.steps.enumerated() {
            outcome = try session.apply(step.event.model, rules: .test)
            try expect(step.expect, session, outcome, "step \(index)")
        }
    }

    @Test("taking a snapshot and restoring it between any two events changes nothing", arguments: cases)
    func restored(_ testCase: BarVectors.Case) throws {
        var (session, outcome) = try testCase.attached()
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
        var (session, outcome) = try testCase.attached(explaining: true)
        #expect(outcome.explanation?.rule == .attached)
        for (index, step) in testCase.steps.enumerated() {
            outcome = try session.apply(step.event.model, rules: .test, explaining: true)
            #expect(outcome.explanation != nil)
            try expect(step.expect, session, outcome, "step \(index)")
        }
    }

    private func expect(
        _ expected: BarVectors.Expectation,
        _ session: BarSession,
        _ outcome: BarOutcome,
        _ place: Comment
    ) throws {
        let tolerance = try Self.vectors.get().tolerance
        func near(_ value: Double, _ other: Double) -> Bool { abs(value - other) <= tolerance }
        let state = session.state
        #expect(near(state.offset, expected.state.offset), place)
        #expect(near(state.height, expected.state.height), place)
        #expect(state.isExpandedStateAvailable == expected.state.isExpandedStateAvailable, place)
        #expect(near(state.transitionProgress, expected.state.transitionProgress), place)
        #expect(state.stateRange.rawValue == expected.state.stateRange, place)

        let inset = session.scrollable.geometry.contentInset
        #expect(near(inset.top, expected.scrollable.contentInsetTop), place)
        #expect(near(inset.bottom, expected.scrollable.contentInsetBottom), place)
        #expect(near(session.scrollIndicatorInsetTop, expected.scrollable.scrollIndicatorInsetTop), place)

        try #require(outcome.commands.count == expected.commands.count, place)
        for (command, other) in zip(outcome.commands, expected.commands) {
            #expect(other.type == "updateContentOffset", place)
            #expect(near(command.target.x, other.x), place)
            #expect(near(command.target.y, other.y), place)
            #expect(command.animated == other.animated, place)
            #expect(command.scrollableID == other.scrollable ?? session.scrollable.id, place)
        }
        if let expected = expected.preconfigured {
            let preconfigured = try #require(outcome.preconfigured, place)
            #expect(near(preconfigured.contentInset.top, expected.contentInsetTop), place)
            #expect(near(preconfigured.contentInset.bottom, expected.contentInsetBottom), place)
            #expect(near(preconfigured.scrollIndicatorInsetTop, expected.scrollIndicatorInsetTop), place)
        }
        for (name, value) in expected.values ?? [:] {
            let track = try #require(session.tracks[name], place)
            #expect(near(track.value(at: state), value), place)
        }
    }
}
