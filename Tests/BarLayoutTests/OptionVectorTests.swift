import BarLayout
import TestSupport
import Testing

/// The cases of `Tests/Vectors/options.json`: bars with every option, and their results to the last bit.
@Suite("Options that differ from AirBar, in the golden cases")
struct OptionVectorTests {
    static let vectors = Result { try BarVectors.load(.options) }

    static var cases: [BarVectors.Case] { (try? vectors.get().cases) ?? [] }

    @Test("the file holds the cases")
    func count() throws {
        #expect(try Self.vectors.get().cases.count > 130)
    }

    @Test("every event has its result, and at the end the bar has its snapshot", arguments: cases)
    func trace(_ testCase: BarVectors.Case) throws {
        var (bar, outcome) = try testCase.body.bar()
        try testCase.created.check(bar, outcome, tolerance: nil, "created")
        for (index, step) in testCase.steps.enumerated() {
            let event = try step.event.model
            guard let expected = step.expect else {
                let before = bar
                #expect(throws: BarLayoutError.self) { try bar.apply(event, rules: .test) }
                #expect(bar == before)
                continue
            }
            outcome = try bar.apply(event, rules: .test)
            try expected.check(bar, outcome, tolerance: nil, "step \(index)")
        }
        let configuration = try testCase.body.configuration.model
        #expect(bar.snapshot.limited == (try #require(testCase.snapshot).model(configuration)))
    }
}
