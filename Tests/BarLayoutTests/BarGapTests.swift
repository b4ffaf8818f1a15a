import BarLayout
import TestSupport
import Testing

/// The content that a user sees: a client carries out the commands, its view bounces at both ends, and then all is at rest.
@Suite("Bars over content at rest")
struct BarGapTests {
    static let fixes: BarOptions.Fixes = [
        .primeOnAttach, .overscroll, .clearExpandedOnCollapse, .contentSizeRatchet, .baseInset,
    ]

    static let options: [BarOptions] = [
        .airBar,
        BarOptions(fixes: .overscroll),
        BarOptions(fixes: fixes),
        BarOptions(snapOnCancel: true, reopen: .top, fixes: fixes),
        BarOptions(tolerance: try! Tolerance(points: 8), fixes: fixes),
        BarOptions(snap: .projected(.normal), clampTargets: true, fixes: fixes),
        BarOptions(snapOnCancel: true, resistance: try! Resistance(dimension: 200), fixes: fixes),
    ]

    @Test("The content begins at the edge of the bar or behind it, never below it", arguments: options)
    func gap(options: BarOptions) throws {
        for seed in 0..<600 {
            var user = try User(seed: UInt64(seed), options: options)
            for turn in 0..<8 {
                try user.act()
                let geometry = user.session.scrollable.geometry
                let gap = user.session.state.offset - geometry.contentOffset.y
                #expect(gap <= 1e-6, "seed \(seed), turn \(turn)")
                guard gap <= 1e-6 else { return }
            }
        }
    }
}

/// A user of a view under a bar, who acts at random and waits until the view is at rest.
private struct User {
    var session: BarSession
    private var random: SeededGenerator

    init(seed: UInt64, options: BarOptions) throws {
        random = SeededGenerator(seed: seed)
        let height = random.one(of: 4800, 4800, 800, 300)
        session = .over(try .view(y: -200, contentHeight: height), options: options)
        try session.scroll(to: y)
    }

    private var y: Double { session.scrollable.geometry.contentOffset.y }

    private var ends: (start: Double, end: Double) {
        let geometry = session.scrollable.geometry
        let start = -geometry.contentInset.top
        let end = geometry.contentSize.height - geometry.frame.height + geometry.contentInset.bottom
        return (start, max(start, end))
    }

    mutating func act() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: try drag()
        case 6, 7: try session.act(.expand(Bool.random(using: &random)))
        default: try grow()
        }
        let (start, end) = ends
        let rest = min(max(y, start), end)
        if rest != y { try session.scroll(to: (y + rest) / 2, rest) }
    }

    /// Drags the content, also beyond its ends, lets go, and sometimes acts while it goes on or bounces.
    private mutating func drag() throws {
        try session.act(.panGesture(.began, velocity: nil))
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            try move(by: random.one(of: -80, -40, -10, 10, 20, 40, 120), beyond: 120)
            try session.act(.panGesture(.changed, velocity: nil))
            if Int.random(in: 0..<20, using: &random) == 0 { try grow() }
        }
        let end = [BarEvent.PanGestureState.ended, .ended, .cancelled].randomElement(using: &random) ?? .ended
        let speed = random.one(of: 0, 300, -300, 2000, -2000)
        let outcome = try session.act(.panGesture(end, velocity: try Point(x: 0, y: speed)))
        guard outcome.commands.isEmpty, Bool.random(using: &random) else { return }
        let step = random.one(of: -30, 30, -100, 100, -400, 400)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            try move(by: step, beyond: 60)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: try session.act(.expand(Bool.random(using: &random)))
            case 1, 2: try grow()
            default: break
            }
        }
    }

    private mutating func move(by distance: Double, beyond: Double) throws {
        let (start, end) = ends
        try session.scroll(to: min(max(y + distance, start - beyond), end + beyond))
    }

    private mutating func grow() throws {
        let height = random.one(of: 4800, 6000, 800)
        try session.act(.contentSize(Size(width: 375, height: height)))
    }
}

extension SeededGenerator {
    fileprivate mutating func one(of values: Double...) -> Double {
        values[Int.random(in: values.indices, using: &self)]
    }
}
