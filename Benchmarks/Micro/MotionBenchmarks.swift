import Benchmark
import JSON
import Motion
import MotionFeature
import SpringConventions

/// The closed form of the spring, the fit of CSS's `linear()` to it, and the source files of design tokens.
///
/// Targets: at most 100 ms for a fit within 0.001, and 50 ms for a file of 100 springs. The yardstick is the least work of
/// an easing: the 20,000 points at which its error is measured.
func motionBenchmarks() {
    Benchmark("motion: yardstick, 20,000 points of a curve", configuration: .init(scalingFactor: .one)) { benchmark in
        let curve = SpringCurve(try Spring(dampingRatio: 0.8, response: 0.3))
        benchmark.startMeasurement()
        for step in 0..<20_000 {
            blackHole(curve.position(at: Double(step) / 20_000))
        }
    }

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

    let file = designTokens(count: 100)
    for platform in DesignTokens.Platform.allCases {
        let name = "motion: a file of 100 springs for \(platform)"
        Benchmark(name, configuration: .init(scalingFactor: .one)) { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(try DesignTokens(file).source(for: platform))
            }
        }
    }
}

/// Returns a file of design tokens with springs from bouncy to overdamped, and from short to long.
private func designTokens(count: Int) -> [UInt8] {
    JSONWriter.object(capacity: 128 * count) { json in
        for index in 0..<count {
            json.key("spring-\(index)")
            json.object { json in
                json.member("$type", "spring")
                json.object("$value") { json in
                    json.member("dampingRatio", 0.2 + Double(index % 10) / 8)
                    json.member("response", 0.1 + Double(index / 10) / 12)
                }
            }
        }
    }
}
