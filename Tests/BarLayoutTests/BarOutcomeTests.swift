import BarLayout
import TestSupport
import Testing

@Suite("The outcome of an event")
struct BarOutcomeTests {
    @Test("an event for another view is refused and has no effect")
    func mismatch() throws {
        var session = BarSession.over(try .view(y: 500))
        let before = session
        let event = BarEvent(.contentOffset(try Point(x: 0, y: 600)), scrollableID: "b")
        #expect(throws: BarLayoutError.scrollableMismatch(attached: "a", given: "b")) {
            try session.apply(event, rules: .test)
        }
        #expect(session == before)
        let fitting = BarEvent(.contentOffset(try Point(x: 0, y: 600)), scrollableID: "a")
        _ = try session.apply(fitting, rules: .test)
        #expect(session.scrollable.geometry.contentOffset.y == 600)
    }

    @Test("a crossing is reported when a state is reached, not when it is left")
    func crossings() throws {
        var session = BarSession.over(try .view(y: 500))
        try session.scroll(to: 500)
        func crossings(to y: Double) throws -> [String] {
            try session.act(.contentOffset(Point(x: 0, y: y))).crossings
                .map { "\($0.from) \($0.to) \($0.isExpanding ? "up" : "down")" }
        }
        #expect(try crossings(to: 530) == [])
        #expect(try crossings(to: 600) == ["normal compact down"])
        #expect(try crossings(to: 700) == [])
        #expect(try crossings(to: 650) == [])
        #expect(try crossings(to: 550) == ["compact normal up"])
        #expect(try crossings(to: 550) == [])
    }

    @Test("a move over two states crosses both, in order")
    func doubleCrossing() throws {
        var session = BarSession.over(try .view(y: 500))
        try session.scroll(to: 500, 600)
        let opened = try session.act(.expand(true)).crossings
        #expect(opened.map(\.from) == [.compact, .normal])
        #expect(opened.map(\.to) == [.normal, .expanded])
        #expect(opened.map(\.isExpanding) == [true, true])
    }

    @Test("a transition of length 0 is never completed")
    func flatCrossing() throws {
        let flat = try BarConfiguration(compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 200)
        var session = BarSession.over(try .view(y: 500), configuration: flat)
        try session.scroll(to: 500, 600)
        let crossings = try session.act(.contentOffset(Point(x: 0, y: 500))).crossings
        #expect(crossings.map(\.to) == [.normal])
    }

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
}
