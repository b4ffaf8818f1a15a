import BarLayout
import SpringbarClient
import TestSupport

/// Definitions and events with fractions of every size, round numbers, and values at which rules change.
struct RandomBar {
    private var random: SeededGenerator
    private let heights: [Double]
    private var y = -200.0

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        heights = (0..<3).map { _ in
            Bool.random(using: &random)
                ? [0, 44, 100, 200, 300].randomElement(using: &random) ?? 0 : Double.random(in: 0...400, using: &random)
        }.sorted()
        self.random = random
    }

    private mutating func chance(_ share: Double) -> Bool { between(0, 1) < share }

    private mutating func between(_ least: Double, _ most: Double) -> Double {
        Double.random(in: least..<most, using: &random)
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: list.indices, using: &random)]
    }

    mutating func definition() throws -> BarDefinition {
        let configuration = try BarConfiguration(
            compactStateHeight: heights[0],
            normalStateHeight: heights[1],
            expandedStateHeight: heights[2]
        )
        var tracks = Tracks()
        try tracks.apply([.set(try track("alpha")), .set(try track("size"))])
        return BarDefinition(
            configuration: configuration,
            scrollable: try view("feed"),
            feedback: chance(0.7) ? .applied : .echoed,
            options: chance(0.6) ? try options() : .airBar,
            tracks: tracks
        )
    }

    private mutating func options() throws -> BarOptions {
        let rate = chance(0.5) ? try DecelerationRate(between(0.9, 0.999)) : pick([.normal, .fast])
        var options = BarOptions(snap: pick([.nearest, .projected(rate), .none]))
        for fix in 0..<5 where chance(0.3) { options.fixes.insert(BarOptions.Fixes(rawValue: 1 << fix)) }
        options.snapSequential = chance(0.3)
        options.snapOnCancel = chance(0.3)
        options.clampTargets = chance(0.3)
        options.reopen = chance(0.3) ? .top : .anywhere
        if chance(0.3) { options.tolerance = try Tolerance(points: between(0, 40)) }
        if chance(0.3) { options.resistance = try Resistance(dimension: between(50, 400), constant: between(0.1, 1)) }
        return options
    }

    private mutating func track(_ name: String) throws -> Track {
        if chance(0.5) {
            return try Track(
                name: name,
                curve: .ranges(
                    compactNormal: .range(between(-1, 1), between(-9, 9)),
                    normalExpanded: .value(between(-5, 5))
                )
            )
        }
        let points = try [0, 0.4, 1, 2].map { try Keyframe(progress: $0, value: between(-100, 100)) }
        return try Track(name: name, curve: .keyframes(try Keyframes(points)))
    }

    private mutating func number() -> Double {
        if chance(0.1) { return pick([0, -0.0, 1.0 / 3, -1e-9, 1e6, -5, 5]) }
        return chance(0.5) ? between(-400, 1500).rounded() : between(-400, 1500)
    }

    /// The next offset: mostly a small step, sometimes a jump or a value at which a rule changes.
    private mutating func offset() throws -> Point {
        if chance(0.1) {
            y = number()
        } else if chance(0.1) {
            y = -pick(heights) + pick([0, 0, 5, -5, 1e-7])
        } else {
            y += chance(0.3) ? between(-60, 60).rounded() : between(-60, 60)
        }
        return try Point(x: chance(0.05) ? between(-9, 9) : 0, y: y)
    }

    private mutating func view(_ id: String) throws -> Scrollable {
        let height = chance(0.3) ? between(0, 900) : pick([0, 500, 2000, 4800])
        var inset = EdgeInsets.zero
        if chance(0.4) { inset = try EdgeInsets(top: between(-9, 99), left: 0, bottom: between(-9, 99), right: 1) }
        let geometry = ScrollGeometry(
            contentOffset: try offset(),
            contentSize: try Size(width: 375, height: height),
            frame: try Rect(x: 0, y: 0, width: 375, height: pick([0, 600, 667])),
            contentInset: inset
        )
        return try Scrollable(id: id, geometry: geometry)
    }

    private static let pan: [BarEvent.PanGestureState] = [
        .possible, .began, .began, .changed, .changed, .ended, .ended, .cancelled, .failed,
    ]

    /// One event of any type.
    mutating func event() throws -> BarEvent {
        let dice = between(0, 1)
        let action: BarEvent.Action
        var source = BarEvent.Source.user
        switch dice {
        case ..<0.62:
            action = .contentOffset(try offset())
            if chance(0.05) { source = .animation }
        case ..<0.82:
            let velocity = chance(0.5) ? try Point(x: 0, y: between(-3000, 3000)) : nil
            action = .panGesture(pick(RandomBar.pan), velocity: velocity)
        case ..<0.86: action = .expand(chance(0.6))
        case ..<0.9: action = .contentSize(try Size(width: 375, height: abs(number())))
        case ..<0.92: action = .frame(try Rect(x: 0, y: number(), width: 375, height: abs(number())))
        case ..<0.94:
            action = .contentInset(try EdgeInsets(top: number(), left: 0, bottom: number(), right: 0))
        default:
            let view = try view(pick(["feed", "other", "a view with a long name"]))
            action = dice < 0.97 ? .set(view) : .preconfigure(view)
        }
        return BarEvent(action, source: source, scrollableID: chance(0.05) ? pick(["feed", "other"]) : nil)
    }

    mutating func trackChanges() throws -> [TrackChange] {
        chance(0.3) ? [.remove("alpha")] : [.set(try track(pick(["alpha", "size", "shift"])))]
    }
}
