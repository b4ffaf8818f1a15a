import BarLayout
import TestSupport
import Testing

// The numbers are from AirBar's own tests (AirBarTests/Reducer) and, where noted, from the golden cases.

@Suite("The stages of a move")
struct DeltaYTransformerTests {
    /// The content has 2000 points in a view of 600, so it is at rest from -top to 1400 + bottom.
    private func difference(
        after stage: DeltaYTransformer,
        from previous: Double,
        to next: Double,
        delta: Double? = nil,
        offset: Double = -200,
        isExpandedStateAvailable: Bool = false,
        top: Double = 200
    ) throws -> Double {
        var session = BarSession.over(try .view(y: 500), feedback: .echoed)
        try session.act(.contentInset(EdgeInsets(top: top, left: 0, bottom: 0, right: 0)))
        let state = BarState(
            offset: offset,
            isExpandedStateAvailable: isExpandedStateAvailable,
            configuration: .hundreds
        )
        return stage.transform(delta ?? next - previous, from: previous, to: next, session.scrollable.geometry, state)
    }

    @Test(
        "the top stage subtracts the overshoot before the move",
        arguments: [
            (from: -150.0, to: -100.0, delta: 50.0),  // inside: everything
            (from: -250.0, to: -150.0, delta: 50.0),  // from outside: only the part inside
            (from: -200.0, to: -240.0, delta: -40.0),  // to outside: everything (top.enteringOverscrollIsNotTrimmed)
            (from: -240.0, to: -230.0, delta: -30.0),  // both outside: the whole overshoot, at each move
        ]
    )
    func top(_ row: (from: Double, to: Double, delta: Double)) throws {
        #expect(try difference(after: .ignoreTop, from: row.from, to: row.to) == row.delta)
    }

    @Test(
        "the bottom stage subtracts the overshoot before the move",
        arguments: [
            (from: 1300.0, to: 1400.0, delta: 100.0),
            (from: 1450.0, to: 1350.0, delta: -50.0),
            (from: 1390.0, to: 1430.0, delta: 40.0),
            (from: 1430.0, to: 1420.0, delta: 20.0),  // moves up, but shrinks the bar (bottom.bounceCollapses)
        ]
    )
    func bottom(_ row: (from: Double, to: Double, delta: Double)) throws {
        #expect(try difference(after: .ignoreBottom, from: row.from, to: row.to) == row.delta)
    }

    @Test(
        "the cut keeps the bar between compact and the largest allowed height",
        arguments: [
            (offset: -200.0, available: false, delta: 30.0, cut: 30.0),
            (offset: -120.0, available: false, delta: 50.0, cut: 20.0),
            (offset: -150.0, available: false, delta: -80.0, cut: -50.0),
            (offset: -150.0, available: true, delta: -180.0, cut: -150.0),
            (offset: -300.0, available: false, delta: 0.0, cut: 100.0),  // a horizontal scroll limits the height
            (offset: -300.0, available: false, delta: 10.0, cut: 10.0),
        ]
    )
    func cut(_ row: (offset: Double, available: Bool, delta: Double, cut: Double)) throws {
        let difference = try difference(
            after: .cutOut,
            from: 0,
            to: 0,
            delta: row.delta,
            offset: row.offset,
            isExpandedStateAvailable: row.available
        )
        #expect(difference == row.cut)
    }

    @Test(
        "the repaired stage counts only the part of a move within the resting range",
        arguments: [
            (from: -200.0, to: -240.0, delta: 0.0),
            (from: -240.0, to: -230.0, delta: 0.0),
            (from: -250.0, to: -150.0, delta: 50.0),
            (from: 1430.0, to: 1420.0, delta: 0.0),
            (from: 1430.0, to: 1380.0, delta: -20.0),
            (from: 100.0, to: 130.0, delta: 30.0),
        ]
    )
    func repaired(_ row: (from: Double, to: Double, delta: Double)) throws {
        #expect(try difference(after: .ignoreOverscroll, from: row.from, to: row.to) == row.delta)
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
