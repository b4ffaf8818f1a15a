import Benchmark
import Motion

/// The closed form of the spring, and the fit of CSS's `linear()` to it.
///
/// Target: at most 100 ms for a fit within 0.001.
func motionBenchmarks() {
    for ratio in [0.5, 1, 2] {
        Benchmark("motion: 1,000 points at damping ratio \(ratio)", configuration: .init(scalingFactor: .one)) {
            benchmark in
            let spring = try Spring(dampingRatio: ratio, response: 0.4)
            benchmark.startMeasurement()
            let curve = SpringCurve(spring, initialVelocity: 3)
            for step in 0..<1000 {
                blackHole(curve.state(at: Double(step) / 1000))
            }
        }
    }

    // A spring that hardly oscillates, one that oscillates for long, and one that needs hundredths of a percent.
    let springs = [("WWDC's 0.8", 0.8, 0.3), ("Android's wobbliest", 0.2, 0.444), ("a ratio of 0.05", 0.05, 0.4)]
    for (name, ratio, response) in springs {
        Benchmark("motion: linear() of \(name)", configuration: .init(scalingFactor: .one)) { benchmark in
            let spring = try Spring(dampingRatio: ratio, response: response)
            benchmark.startMeasurement()
            blackHole(try LinearFit(SpringCurve(spring), maxError: 0.001))
        }
    }
}
