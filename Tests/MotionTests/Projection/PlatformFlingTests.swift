import Foundation
import Motion
import TestSupport
import Testing

/// Compares the flings with the simulations of the platforms, written from their sources.
@Suite("Flings of platforms")
struct PlatformFlingTests {
    private static let shares = stride(from: 0.0, through: 1.2, by: 0.013).map { $0 }

    @Test(
        "Android's positions are those of its spline",
        arguments: [(5000.0, 2.75), (-800, 1), (20_000, 3.5), (30, 2)]
    )
    func spline(velocity: Double, density: Double) {
        let fling = PlatformFling.androidSpline(velocity: velocity, density: density, friction: 0.015)
        let table = overScrollerPositions()
        for share in Self.shares {
            let index = min(99, Int(share * 100))
            let between = table[index] + (share * 100 - Double(index)) * (table[index + 1] - table[index])
            let expected = share < 1 ? fling.distance * between : fling.distance
            // Its bisection ends within 1e-5 of the time, and it rounds to whole pixels.
            let tolerance = 5e-5 * abs(fling.distance) + 1e-9
            #expect(abs(fling.position(atMs: share * fling.durationMs) - expected) <= tolerance)
        }
        #expect(fling.position(atMs: fling.durationMs) == fling.distance)
    }

    @Test(
        "Flutter's clamping simulation is ballistic and as far as Android's",
        arguments: [(1000.0, 0.015), (-4000, 0.03)]
    )
    func clamping(velocity: Double, friction: Double) {
        let fling = PlatformFling.flutterClamping(velocity: velocity, friction: friction)
        let simulation = ClampingScrollSimulation(velocity: velocity, friction: friction)
        #expect(abs(fling.durationMs - simulation.duration * 1000) < 1e-9 * fling.durationMs)
        for share in Self.shares {
            let time = share * simulation.duration
            #expect(abs(fling.position(atMs: time * 1000) - simulation.x(time)) < 1e-9 * abs(fling.distance))
        }
        let android = PlatformFling.androidSpline(velocity: velocity, density: 1, friction: friction)
        #expect(abs(fling.distance - android.distance) < 1e-9 * abs(fling.distance))
    }

    @Test(
        "Flutter's bouncing simulation decelerates, and springs back at an end",
        arguments: [
            (300.0, 1000.0), (300, -2000), (300, 40_000), (-80, 0), (-80, -900), (1200, 500), (1200, -3000), (0, 0),
        ]
    )
    func bouncing(start: Double, velocity: Double) {
        let simulation = BouncingScrollSimulation(start: start, velocity: velocity, leading: 0, trailing: 1000)
        for time in stride(from: 0.0, through: 6, by: 0.01) {
            let state = Deceleration.flutterBouncing(at: time, start: start, velocity: velocity, extent: 0...1000)
            #expect(abs(state.position - simulation.x(time)) < 1e-6, "\(time)")
        }
        let end = Deceleration.flutterBouncing(at: .infinity, start: start, velocity: velocity, extent: 0...1000)
        #expect(-1e-9...1000 + 1e-9 ~= end.position && abs(end.velocity) < 1e-9)
    }

    /// androidx, animation-core, FloatDecayAnimationSpec.kt.
    @Test(
        "Compose's fling ends at its velocity threshold",
        arguments: [(1000.0, 1.0, 0.1), (-60, 2, 1), (0.05, 1, 0.1), (1000, 1e-6, 1e-9)]
    )
    func exponential(velocity: Double, multiplier: Double, threshold: Double) {
        let fling = PlatformFling.androidExponential(velocity: velocity, friction: multiplier, threshold: threshold)
        // `FloatExponentialDecaySpec` raises both.
        let (multiplier, threshold) = (max(0.0001, multiplier), max(0.000_000_1, threshold))
        let friction = -4.2 * multiplier
        let duration = max(0, 1000 * log(threshold / abs(velocity)) / friction)
        #expect(abs(fling.durationMs - duration) <= 1e-9 * duration)
        for share in Self.shares {
            let time = min(share, 1) * duration
            let value = -velocity / friction + velocity / friction * exp(friction * time / 1000)
            #expect(abs(fling.position(atMs: share * duration) - value) < 1e-9 * abs(velocity))
        }
        // `getTargetValue`: where it ends.
        let target = abs(velocity) <= threshold ? 0 : velocity / (4.2 * multiplier) * (1 - threshold / abs(velocity))
        #expect(abs(fling.distance - target) < 1e-12 * abs(velocity))
        #expect(fling.distance == fling.position(atMs: duration))
    }

    @Test("a fling without a velocity stays where it is")
    func still() {
        for fling in [
            PlatformFling.androidSpline(velocity: 0, density: 1, friction: 0.015),
            .flutterClamping(velocity: 0, friction: 0.015),
            .androidExponential(velocity: 0, friction: 1, threshold: 0.1),
        ] {
            #expect(fling.distance == 0 && fling.durationMs == 0 && fling.position(atMs: 10) == 0)
        }
    }
}

/// Android 13, OverScroller.java, `SPLINE_POSITION`: in floats, with a bisection to 1e-5.
private func overScrollerPositions() -> [Double] {
    let (inflexion, startTension, endTension): (Float, Float, Float) = (0.35, 0.5, 1)
    let (p1, p2) = (startTension * inflexion, 1 - endTension * (1 - inflexion))
    var low: Float = 0
    let positions = (0..<100).map { sample -> Double in
        let alpha = Float(sample) / 100
        var high: Float = 1
        while true {
            let x = low + (high - low) / 2
            let factor = 3 * x * (1 - x)
            let time = factor * ((1 - x) * p1 + x * p2) + x * x * x
            if abs(time - alpha) < 1e-5 { return Double(factor * ((1 - x) * startTension + x) + x * x * x) }
            if time > alpha { high = x } else { low = x }
        }
    }
    return positions + [1]
}

/// flutter/flutter 3.32, widgets/scroll_simulation.dart.
private struct ClampingScrollSimulation {
    let velocity: Double
    let duration: Double
    private let rate = log(0.78) / log(0.9)

    init(velocity: Double, friction: Double) {
        self.velocity = velocity
        let reference = friction * (9.80665 * 39.37 * 160 * 0.84) / 0.35
        duration = rate * 0.35 * pow(abs(velocity) / reference, 1 / (rate - 1))
    }

    func x(_ time: Double) -> Double {
        velocity * duration / rate * (1 - pow(1 - min(1, max(0, time / duration)), rate))
    }
}

/// flutter/flutter 3.32, widgets/scroll_simulation.dart and friction_simulation.dart, with the spring of ScrollPhysics.
///
/// The last jump to the end, within a tolerance, is left out.
private struct BouncingScrollSimulation {
    let start: Double
    let velocity: Double
    private var springTime = Double.infinity
    private var spring: (from: Double, to: Double, speed: Double) = (0, 0, 0)
    private let logarithm = log(0.135)

    init(start: Double, velocity: Double, leading: Double, trailing: Double) {
        (self.start, self.velocity) = (start, velocity)
        let final = start - velocity / logarithm
        func timeAt(_ x: Double) -> Double { x == start ? 0 : log(logarithm * (x - start) / velocity + 1) / logarithm }
        if start < leading || start > trailing {
            (springTime, spring) = (-.infinity, (start, start < leading ? leading : trailing, velocity))
        } else if velocity > 0, final > trailing {
            springTime = timeAt(trailing)
            spring = (trailing, trailing, min(velocity * pow(0.135, springTime), 5000))
        } else if velocity < 0, final < leading {
            springTime = timeAt(leading)
            spring = (leading, leading, min(velocity * pow(0.135, springTime), 5000))
        }
    }

    func x(_ time: Double) -> Double {
        guard time > springTime else { return start + velocity * pow(0.135, time) / logarithm - velocity / logarithm }
        // The overdamped solution of spring_simulation.dart: a mass of 0.5, a stiffness of 100 and a ratio of 1.1.
        let (mass, stiffness) = (0.5, 100.0)
        let damping = 1.1 * 2 * (mass * stiffness).squareRoot()
        let root = (damping * damping - 4 * mass * stiffness).squareRoot()
        let (first, second) = ((-damping - root) / (2 * mass), (-damping + root) / (2 * mass))
        let distance = spring.from - spring.to
        let weight = (spring.speed - first * distance) / (second - first)
        let elapsed = springTime.isFinite ? time - springTime : time
        return spring.to + (distance - weight) * exp(first * elapsed) + weight * exp(second * elapsed)
    }
}
