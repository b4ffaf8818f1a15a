import BarLayout
import TestSupport
import Testing

@Suite("Options that differ from AirBar")
struct BarOptionsTests {
    @Test("an explanation shows the stretch of a bar with a resistance")
    func resistanceExplained() throws {
        let options = BarOptions(resistance: try Resistance(dimension: 200))
        var session = BarSession.over(try .view(y: -200), options: options)
        try session.scroll(to: -150, -200)
        let event = BarEvent(.contentOffset(try Point(x: 0, y: -300)))
        let reduction = try #require(
            try session.apply(event, rules: .test, explaining: true).explanation?.reductions.first
        )
        #expect(reduction.stages.map(\.name) == ["ignoreOverscroll", "cutOut", "resistance"])
        #expect(reduction.stages.last?.deltaY == session.state.offset + 200)
    }

    @Test("each repair has a bit of its own, and all of them are all")
    func bits() {
        let bits = BarOptions.Fixes.names.map(\.value.rawValue)
        #expect(bits.allSatisfy { $0.nonzeroBitCount == 1 })
        #expect(Set(bits).count == bits.count)
        #expect(bits.reduce(0, |) == BarOptions.Fixes.all.rawValue)
    }
}
