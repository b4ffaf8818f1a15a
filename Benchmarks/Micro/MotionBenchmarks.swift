import Benchmark
import Motion

/// The closed form of the spring.
func motionBenchmarks() {
    for ratio in [0.5, 1, 2] {
        Benchmark("motion: 1,000 points at damping ratio \(ratio)", configuration: .init(scalingFactor: .one)) {
            benchmark in
            let spring = Spring(dampingRatio: try .init(ratio), response: try .init(0.4))
            benchmark.startMeasurement()
            let curve = SpringCurve(spring, initialVelocity: 3)
            for step in 0..<1000 {
                blackHole(curve.state(at: Double(step) / 1000))
            }
        }
    }
}
