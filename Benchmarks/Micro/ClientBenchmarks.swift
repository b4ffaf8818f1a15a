import BarLayout
import Benchmark
import SpringbarClient

/// The cost of an event in the frame of a finger: prediction, queue, and the shown bar with six tracks.
///
/// Target: 5 µs, which is 0.03 % of a frame at 60 Hz.
func clientBenchmarks() {
    Benchmark("client: one predicted event, with six tracks") { benchmark in
        let (session, trace) = try Drag.bar()
        var tracks = Tracks()
        for index in 0..<6 {
            let curve = Track.Curve.ranges(compactNormal: .range(0, 1), normalExpanded: .value(1))
            try tracks.set(try Track(name: "track.\(index)", curve: curve))
        }
        let definition = BarDefinition(
            configuration: session.configuration,
            scrollable: session.scrollable,
            tracks: tracks
        )
        var machine = BarMachine(definition, queueLimit: .max)
        var next = 0
        benchmark.startMeasurement()
        for index in benchmark.scaledIterations {
            blackHole(try machine.show(trace[next], now: Double(index) / 60))
            next = next + 1 == trace.count ? 0 : next + 1
        }
    }
}
