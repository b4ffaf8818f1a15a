import BarLayout
import TestSupport
import Testing

@Suite("The outcome of an event")
struct BarOutcomeTests {
    @Test("an explanation has the rule and the difference after every stage")
    func explanation() throws {
        var session = BarSession.over(try .view(y: -200))
        func explain(_ action: BarEvent.Action) throws -> Explanation {
            try #require(try session.apply(BarEvent(action), rules: .test, explaining: true).explanation)
        }
        #expect(try explain(.contentOffset(Point(x: 0, y: -200))).rule == .primed)
        #expect(try explain(.contentOffset(Point(x: 0, y: -200))).rule == .duplicate)
        let reduced = try explain(.contentOffset(Point(x: 0, y: 20)))
        #expect(reduced.rule == .reduced)
        let reduction = try #require(reduced.reductions.first)
        #expect(reduction.previousY == -200)
        #expect(reduction.y == 20)
        #expect(reduction.deltaY == 220)
        #expect(reduction.stages.map(\.name) == ["ignoreTop", "ignoreBottom", "cutOut"])
        #expect(reduction.stages.map(\.deltaY) == [220, 220, 100])
        #expect(try explain(.panGesture(.ended, velocity: nil)).rule == .alreadyAtRest)
        #expect(try explain(.panGesture(.cancelled, velocity: nil)).rule == .ignored)
        let expanded = try explain(.expand(true))
        #expect(expanded.rule == .expanded)
        // The observed samples of the bar's own command: the current offset again, then the target.
        #expect(expanded.reductions.map(\.y) == [-300])
    }

    @Test("the stages run in order, and each gets the difference of the one before it")
    func order() throws {
        var session = BarSession.over(try .view(y: 500))
        try session.scroll(to: -250)
        let event = BarEvent(.contentOffset(try Point(x: 0, y: -150)))
        let outcome = try session.apply(event, rules: .test, explaining: true)
        let reduction = try #require(outcome.explanation?.reductions.first)
        #expect(reduction.deltaY == 100)
        #expect(reduction.stages.map(\.name) == ["ignoreTop", "ignoreBottom", "cutOut"])
        #expect(reduction.stages.map(\.deltaY) == [50, 50, 50])
    }
}
