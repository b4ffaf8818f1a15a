import BarLayout
import Benchmark

/// The bar engine without the service.
///
/// Target: 1.5 million events per second on one core.
func barBenchmarks() {
    Benchmark("bar: one event of a drag") { benchmark in
        var (session, trace) = try Drag.bar()
        var next = 0
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(try session.apply(trace[next], rules: Drag.rules))
            next = next + 1 == trace.count ? 0 : next + 1
        }
    }

    Benchmark("bar: a drag of 500 events", configuration: .init(scalingFactor: .one)) { benchmark in
        var (session, trace) = try Drag.bar()
        benchmark.startMeasurement()
        for event in trace {
            blackHole(try session.apply(event, rules: Drag.rules))
        }
    }
}

/// A finger that repeatedly scrolls a feed down and back up beyond its top, as reported by a display of 120 Hz.
enum Drag {
    static let eventCount = 500
    /// Points between two reports: 1,200 points per second.
    private static let step = 10.0
    private static let reportsOneWay = 50

    /// Returns a new bar and its events.
    static func bar() throws -> (session: BarSession, trace: [BarEvent]) {
        let geometry = ScrollGeometry(
            contentOffset: try Point(x: 0, y: -200),
            contentSize: try Size(width: 375, height: 4800),
            frame: try Rect(x: 0, y: 0, width: 375, height: 667)
        )
        let heights = try BarConfiguration(compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300)
        let (session, _) = BarSession.attached(
            to: try Scrollable(id: "main", geometry: geometry),
            configuration: heights,
            rules: rules
        )
        return (session, try events())
    }

    /// In each direction, a pan begins, moves and ends; its end snaps.
    static func events() throws -> [BarEvent] {
        var events: [BarEvent] = []
        var y = -200.0
        var direction = 1.0
        while events.count < eventCount {
            events.append(BarEvent(.panGesture(.began, velocity: nil)))
            for _ in 2..<reportsOneWay {
                y += direction * step
                events.append(BarEvent(.contentOffset(try Point(x: 0, y: y))))
            }
            let velocity = try Point(x: 0, y: direction * step * 120)
            events.append(BarEvent(.panGesture(.ended, velocity: velocity)))
            direction = -direction
        }
        return events
    }

    /// AirBar's own snap uses neither function.
    static let rules = BarRules(
        project: { velocity, _ in velocity },
        relativeVelocity: { velocity, current, target in velocity / (target - current) }
    )
}
