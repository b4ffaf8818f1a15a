import BarLayout
import TestSupport
import Testing

@Suite("Properties of every trace")
struct BarSessionPropertyTests {
    static let seeds: [UInt64] = Array(1...40)

    /// Every combination of options that changes the movement of the bar.
    static let options: [BarOptions] = [
        .airBar,
        BarOptions(reopen: .top, tolerance: try! Tolerance(points: 12)),
        BarOptions(snap: .projected(.fast), reopen: .top, tolerance: try! Tolerance(points: 0.3), fixes: .all),
        BarOptions(snap: .projected(.normal), snapSequential: true, snapOnCancel: true, clampTargets: true),
        BarOptions(fixes: [.primeOnAttach, .overscroll, .clearExpandedOnCollapse, .contentSizeRatchet, .baseInset]),
    ]

    @Test("the bar stays between compact and expanded, its progress between 0 and 2", arguments: seeds)
    func bounds(seed: UInt64) throws {
        for options in Self.options {
            for feedback in [Feedback.applied, .echoed] {
                var session = BarSession.over(try .view(y: -200), feedback: feedback, options: options)
                for event in try RandomTrace(seed: seed, length: 400).events {
                    _ = try session.apply(event, rules: .test)
                    #expect(-300 - 1e-9...(-100 + 1e-9) ~= session.state.offset)
                    #expect(0...2 ~= session.state.transitionProgress)
                }
            }
        }
    }

    @Test("a bar with a resistance stays within its limit and the band", arguments: seeds)
    func resistance(seed: UInt64) throws {
        let options = BarOptions(resistance: try Resistance(dimension: 80))
        var session = BarSession.over(try .view(y: -200), options: options)
        for event in try RandomTrace(seed: seed, length: 400).events {
            _ = try session.apply(event, rules: .test)
            #expect(-380...(-100) ~= session.state.offset)
            let geometry = session.scrollable.geometry
            if case .contentOffset = event.action, geometry.contentOffset.y >= -geometry.contentInset.top {
                #expect(session.state.offset >= -300)
            }
        }
    }

    @Test("a bar without permission to expand never expands", arguments: seeds)
    func neverExpanded(seed: UInt64) throws {
        var session = BarSession.over(try .view(y: -200))
        for event in try RandomTrace(seed: seed, length: 400).events {
            switch event.action {
            case .expand, .panGesture: continue
            default: _ = try session.apply(event, rules: .test)
            }
            #expect(!session.state.isExpandedStateAvailable)
            #expect(session.state.offset >= -200)
        }
    }

    @Test("an offset or size that is reported twice counts once", arguments: seeds)
    func repeated(seed: UInt64) throws {
        var session = BarSession.over(try .view(y: -200))
        for event in try RandomTrace(seed: seed, length: 400).events {
            _ = try session.apply(event, rules: .test)
            switch event.action {
            case .contentOffset:
                let before = session
                let outcome = try session.apply(event, rules: .test)
                #expect(session == before)
                #expect(outcome == BarOutcome())
            case .contentSize:
                let before = session
                #expect(try session.apply(event, rules: .test) == BarOutcome())
                #expect(session == before)
            default: break
            }
        }
    }

    @Test("a straight move within the content has the same result in one step or in many", arguments: seeds)
    func split(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let start = Double(Int.random(in: 0...1400, using: &random))
        let end = Double(Int.random(in: 0...1400, using: &random))
        var whole = BarSession.over(try .view(y: start))
        try whole.scroll(to: start)
        var parts = whole
        try whole.scroll(to: end)
        let stops = (0..<20).map { _ in Double.random(in: min(start, end)...max(start, end), using: &random) }.sorted()
        for stop in start < end ? stops : stops.reversed() { try parts.scroll(to: stop) }
        try parts.scroll(to: end)
        #expect(abs(whole.state.offset - parts.state.offset) < 1e-9)
    }

    @Test("a session that is restored anywhere in a trace, or explained, ends in the same state", arguments: seeds)
    func restored(seed: UInt64) throws {
        for options in Self.options {
            let start = BarSession.over(try .view(y: -200), options: options)
            var straight = start
            var broken = start
            var explained = start
            var random = SeededGenerator(seed: seed)
            for event in try RandomTrace(seed: seed, length: 400).events {
                let one = try straight.apply(event, rules: .test)
                if Bool.random(using: &random) {
                    broken = BarSession(
                        restoring: broken.snapshot,
                        feedback: broken.feedback,
                        options: broken.options,
                        tracks: broken.tracks
                    )
                }
                #expect(try broken.apply(event, rules: .test) == one)
                #expect(broken == straight)
                let told = try explained.apply(event, rules: .test, explaining: true)
                #expect(told.explanation != nil && told.preconfigured == one.preconfigured)
                #expect(told.commands == one.commands && told.crossings == one.crossings)
                #expect(explained == straight)
            }
        }
    }

    @Test("every crossing ends in a state between the offsets before and after", arguments: seeds)
    func crossings(seed: UInt64) throws {
        var session = BarSession.over(try .view(y: -200))
        for event in try RandomTrace(seed: seed, length: 400).events {
            let before = session.state.offset
            for crossing in try session.apply(event, rules: .test).crossings {
                let target: Double = [.compact: -100, .normal: -200, .expanded: -300][crossing.to] ?? .nan
                #expect(min(before, session.state.offset)...max(before, session.state.offset) ~= target)
                #expect(crossing.isExpanding == (session.state.offset < before))
            }
        }
    }
}
