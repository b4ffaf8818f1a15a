import BarLayout
import TestSupport
import Testing

@Suite("Options that differ from AirBar")
struct BarOptionsTests {
    /// A bar that was scrolled to `height`, below normal, with its content near y = 1000.
    private func session(height: Double, _ options: BarOptions) throws -> BarSession {
        var session = BarSession.over(try .view(y: 1000), options: options)
        try session.scroll(to: 1000, 1000 + 200 - height)
        #expect(session.state.height == height)
        return session
    }

    @Test("a sample of the bar's own animation never undoes the snap")
    func animation() throws {
        var silent = try session(height: 160, .airBar)
        var chatty = silent
        let y = silent.scrollable.geometry.contentOffset.y
        try silent.pan(.ended)
        try chatty.pan(.ended)
        for step in 0...15 {
            let point = try Point(x: 0, y: y - 40 * Double(step) / 15)
            try chatty.act(.contentOffset(point), source: .animation)
        }
        #expect(silent.state.height == 200)
        #expect(chatty == silent)
    }

    @Test("with echoed feedback the session observes the client's animation")
    func echoedAnimation() throws {
        var session = BarSession.over(try .view(y: 1000), feedback: .echoed)
        try session.scroll(to: 1000, 1040)
        try session.pan(.ended)
        #expect(session.state.height == 160)
        for y in [1030.0, 1015, 1000] {
            try session.act(.contentOffset(try Point(x: 0, y: y)), source: .animation)
        }
        #expect(session.state.height == 200)
    }

    @Test(
        "a projected snap goes to the state nearest to the projected end",
        arguments: [
            // The distance for 0.998 is v / 1000 * 499. The snap goes to the state nearest to the bar's offset plus
            // this distance.
            (height: 160.0, velocity: 0.0, target: 200.0),
            (height: 160.0, velocity: 60.0, target: 100.0),  // -160 + 29.94 = -130.06
            (height: 140.0, velocity: -30.0, target: 200.0),  // -140 - 14.97 = -154.97
            (height: 140.0, velocity: -5000.0, target: 200.0),  // expanded is not available
            (height: 160.0, velocity: 5000.0, target: 100.0),
        ]
    )
    func projected(_ row: (height: Double, velocity: Double, target: Double)) throws {
        var session = try session(height: row.height, BarOptions(snap: .projected(.normal)))
        let y = session.scrollable.geometry.contentOffset.y
        let command = try #require(try session.pan(.ended, velocity: row.velocity).commands.first)
        #expect(command.target.y == y + row.height - row.target)
        #expect(session.state.height == row.target)
        let spring = try #require(command.spring)
        #expect(spring.dampingRatio == (row.velocity == 0 ? 1 : 0.8))
        #expect(spring.response == (row.velocity == 0 ? 0.4 : 0.3))
        #expect(spring.relativeVelocity == row.velocity / (row.height - row.target))
    }

    @Test("the deceleration rate determines the projected distance")
    func rates() throws {
        var normal = try session(height: 160, BarOptions(snap: .projected(.normal)))
        var fast = try session(height: 160, BarOptions(snap: .projected(.fast)))
        try normal.pan(.ended, velocity: 60)
        try fast.pan(.ended, velocity: 60)  // -160 + 5.94
        #expect(normal.state.height == 100)
        #expect(fast.state.height == 200)
        #expect(throws: BarLayoutError.outOfRange("decelerationRate")) { try DecelerationRate(1) }
        #expect(throws: BarLayoutError.outOfRange("decelerationRate")) { try DecelerationRate(0) }
    }

    @Test("a sequential snap goes to the next state")
    func sequential() throws {
        func snapped(_ options: BarOptions) throws -> Double {
            var session = BarSession.over(try .view(y: -200), options: options)
            try session.scroll(to: -200)
            try session.pan(.began)
            try session.scroll(to: -280)
            #expect(session.state.height == 280)
            try session.pan(.ended, velocity: 5000)
            return session.state.height
        }
        #expect(try snapped(BarOptions(snap: .projected(.normal))) == 100)
        #expect(try snapped(BarOptions(snap: .projected(.normal), snapSequential: true)) == 200)
    }

    @Test(
        "a cancelled or failed pan snaps if the option is set",
        arguments: [BarEvent.PanGestureState.cancelled, .failed]
    )
    func onCancel(_ state: BarEvent.PanGestureState) throws {
        var plain = try session(height: 160, .airBar)
        var eager = try session(height: 160, BarOptions(snapOnCancel: true))
        try plain.pan(state)
        try eager.pan(state)
        #expect(plain.state.height == 160)
        #expect(eager.state.height == 200)
    }

    @Test("without a snap there is no command")
    func noSnap() throws {
        var session = try session(height: 160, BarOptions(snap: .none))
        #expect(try session.pan(.ended).commands.isEmpty)
        #expect(session.state.height == 160)
    }

    @Test("a clamped target lies within the scrollable range (pan.endedPastTheEnd)")
    func clamped() throws {
        func target(_ options: BarOptions) throws -> Double? {
            var session = BarSession.over(try .view(y: 1336), feedback: .echoed, options: options)
            try session.scroll(to: 1336, 1396)
            #expect(session.state.height == 140)
            return try session.pan(.ended).commands.first?.target.y
        }
        #expect(try target(.airBar) == 1436)
        #expect(try target(BarOptions(clampTargets: true)) == 1400)
    }

    @Test("a bar with a resistance stretches during a pull, returns, and does not store the stretch")
    func resistance() throws {
        let options = BarOptions(resistance: try Resistance(dimension: 200))
        var session = BarSession.over(try .view(y: -200), options: options)
        try session.scroll(to: -200)
        // 100 * 0.55 / 200 = 0.275; 200 * (1 - 1 / 1.275) = 43.137...
        try session.scroll(to: -300)
        #expect(abs(session.state.height - 243.137_254_901_960_8) < 1e-9)
        try session.scroll(to: -250, -260, -230, -300)
        #expect(abs(session.state.height - 243.137_254_901_960_8) < 1e-9)
        try session.scroll(to: -200)
        #expect(session.state.height == 200)
        try session.scroll(to: -150)
        #expect(session.state.height == 150)
    }

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

    @Test("the release of a stretched bar moves the content back to its start")
    func resistanceSnap() throws {
        let options = BarOptions(resistance: try Resistance(dimension: 200))
        var session = BarSession.over(try .view(y: -200), options: options)
        try session.scroll(to: -200, -300)
        #expect(try session.pan(.ended).commands.first?.target.y == -200)
        #expect(session.state.height == 200)
        #expect(throws: BarLayoutError.outOfRange("dimension")) { try Resistance(dimension: 0) }
        #expect(throws: BarLayoutError.outOfRange("constant")) { try Resistance(dimension: 1, constant: 1.5) }
    }

    @Test("a bar that reopens at the top is opened by the edge of the content alone")
    func reopen() throws {
        var session = BarSession.over(try .view(y: -200), options: BarOptions(reopen: .top))
        let heights = try [-200.0, 900, 300, -90, -130, -200, -150, 500, -150].map { y in
            try session.scroll(to: y)
            return session.state.height
        }
        // The last move is a fling from far below.
        #expect(heights == [200, 100, 100, 100, 130, 200, 150, 100, 150])
        try session.scroll(to: 500)
        try session.act(.expand(true))
        #expect(session.state.height == 300)
    }

    @Test("away from the top, a bar that reopens there snaps to a smaller state")
    func reopenSnap() throws {
        var session = try session(height: 170, BarOptions(snap: .projected(.normal), reopen: .top))
        try session.pan(.ended, velocity: -3000)
        #expect(session.state.height == 100)
    }

    @Test("a tolerance ignores jitter in both directions, and a restored bar knows how far the content has moved")
    func tolerance() throws {
        let options = BarOptions(tolerance: try Tolerance(points: 8))
        var session = BarSession.over(try .view(y: -200), options: options)
        let heights = try [-200.0, -193, -199, -150, -157, -151, -160, -153, -151].map { y in
            try session.scroll(to: y)
            session = BarSession(restoring: session.snapshot, options: options)
            return session.state.height
        }
        #expect(heights == [200, 200, 200, 158, 158, 158, 160, 160, 159])
        try session.pan(.ended)
        #expect(session.state.height == 200)
        #expect(session.scrollable.geometry.contentOffset.y == -200)
    }

    @Test("above the start of the content a tolerance leaves no stretch")
    func toleranceBounce() throws {
        let options = BarOptions(tolerance: try Tolerance(points: 8), resistance: try Resistance(dimension: 320))
        var session = BarSession.over(try .view(y: -200), options: options)
        try session.scroll(to: -200, -230, -224, -203, -200)
        #expect(session.state.height == 200)
    }

    @Test("a tolerance outside of its limits is refused", arguments: [-0.1, 1.1e9, .nan, .infinity])
    func toleranceLimits(points: Double) {
        #expect(throws: BarLayoutError.outOfRange("tolerance")) { try Tolerance(points: points) }
    }
}
