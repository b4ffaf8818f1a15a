import CMathematics
package import Motion
import Primitives

/// The settling time of a spring in seconds, as each platform computes it.
///
/// A number is nil if the platform reports that the spring never settles, or if its result is unknown. Sources: the open
/// code of the platforms, and published measurements for Apple's.
package struct PlatformSettling: Sendable {
    package let curve: SpringCurve
    package let epsilon: Double
    private let travel: Travel?
    private let framesPerSecond: Double

    /// Prepares the settling times of a curve; only SwiftUI's depends on `epsilon`, a share of the travel.
    ///
    /// Without a travel it is one unit, and 300 points on Android.
    package init(_ curve: SpringCurve, epsilon: Double, travel: Travel? = nil, framesPerSecond: Double = 60) {
        (self.curve, self.epsilon, self.travel, self.framesPerSecond) = (curve, epsilon, travel, framesPerSecond)
    }

    /// All settling times by the name of their platform.
    package var times: KeyValuePairs<String, Double?> {
        [
            "swiftui": swiftUI,
            "coreAnimation": curve.coreAnimationSettling,
            "motion50ms": motion,
            "flutter": firstFrame(of: curve, distance: 0.001 / amount, speed: 0.001 / amount),
            "android": firstFrame(of: curve, distance: androidThreshold, speed: 62.5 * androidThreshold),
            "compose": compose,
            "reactSpring": reactSpring,
            "reactNative": firstFrame(of: curve.atMostCritical, distance: 0.001 / amount, speed: 0.001 / amount),
            "reanimated": reanimated,
            "remotion": remotion,
            "svelte": svelte,
            "anime": anime,
        ]
    }

    private var amount: Double { travel?.amount ?? 1 }
    /// Three quarters of the smallest visible change, as a share of the travel (DynamicAnimation.java, SpringForce.java).
    private var androidThreshold: Double { travel.map { 0.75 * $0.property.visibleChange / $0.amount } ?? 0.0025 }

    /// SwiftUI's `settlingDuration`, which adds rate and velocity to 1 (OpenSwiftUI, Spring+VectorArithmetic.swift).
    private var swiftUI: Double? { curve.appleSettling(epsilon: epsilon) { abs($0 - curve.initialVelocity) } }

    /// Motion's: the first multiple of 50 ms within its limits, below 20 s (spring.ts, calc-duration.ts).
    ///
    /// A travel of 5 or more has limits of its own. After a cut, `resolveVelocity` is the slow rate of what is left.
    private var motion: Double? {
        let (limit, speed) = amount < 5 ? (0.005, 0.01) : (0.5, 2)
        let drawn = curve.cutOffByMotion ?? DrawnCurve(curve)
        return (0..<400).lazy.map { Double($0) * 0.05 }.first { time in
            let distance = drawn.remaining(at: time)
            let isCut = time > drawn.cut ?? .infinity
            let rate = isCut ? curve.spring.slowRate * distance : curve.remaining.state(at: time).rate
            return abs(distance) * amount <= limit && abs(rate) * amount <= speed
        }
    }

    /// Compose's in whole milliseconds: the envelope below critical damping, else the exact time (SpringEstimation.kt).
    ///
    /// It ends a position within 0.1 dp, and another value within 0.01 (VisibilityThresholds.kt).
    private var compose: Double? {
        let threshold = (travel?.property == .position ? 0.1 : 0.01) / amount
        let isUnderdamped = curve.spring.dampingRatio < 1
        let time = isUnderdamped ? curve.envelopeTime(epsilon: threshold) : curve.settlingTime(epsilon: threshold)
        return time.map { max(0, ($0 * 1000).rounded(.down)) / 1000 }
    }

    /// react-spring's: the frame with the first step at rest, within a thousandth of the travel and at most a unit of it, and
    /// a tenth of that in a step (SpringValue.ts).
    private var reactSpring: Double? {
        let (limit, stepsPerFrame) = (min(0.001, 1 / amount), EulerSteps.reactSpringSteps(framesPerSecond))
        let steps = EulerSteps.reactSpring(curve.spring).count(curve.initialVelocity) { distance, rate, _ in
            abs(distance) <= limit && abs(rate) <= limit / 10
        }
        return steps.map { ((Double($0) / stepsPerFrame).rounded(.down) + 1) / framesPerSecond }
    }

    /// Svelte's, from rest: the first frame within 0.01 units that would move less than that (motion/spring.js).
    private var svelte: Double? {
        let limit = 0.01 / amount
        let steps = EulerSteps.svelte(curve.spring, framesPerSecond).count(0) { distance, _, next in
            abs(distance) < limit && abs(next) < limit
        }
        return steps.map { Double($0 + 1) / framesPerSecond }
    }

    /// Reanimated's: the time at which the energy, which only falls, reaches its threshold (springUtils.ts).
    private var reanimated: Double? {
        guard curve.spring.regime != .undamped else { return nil }
        let (curve, frequency) = (curve.atMostCritical, curve.spring.naturalFrequency)
        func energy(_ time: Double) -> Double {
            let (distance, rate) = curve.remaining.state(at: time)
            return distance * distance + rate / frequency * (rate / frequency)
        }
        let (limit, longest) = (6e-9 * energy(0), 1e15 / frequency)
        return energy(longest) <= limit ? bisect(0, longest) { energy($0) > limit } : nil
    }

    /// Remotion's, from rest: the first frame within 0.005 that 20 others follow, or 18 after a miss (measure-spring.ts).
    private var remotion: Double? {
        let curve = SpringCurve(curve.spring).atMostCritical
        let frame = probe(curve, every: 1 / framesPerSecond, within: 0.005, after: 20, later: 18)
        return frame.map { Double($0) / framesPerSecond }
    }

    /// anime.js' time, which includes the 200 ms for which it is within 0.0005, at most 60 s (easings/spring, `compute`).
    private var anime: Double {
        let first = probe(curve.limitedByAnime, every: 0.02, within: 0.0005, after: 10, later: 10)
        return min(first.map { Double($0 + 10) / 50 } ?? 60, 60)
    }

    /// Returns the first of 10 000 probes within a limit that `after` others follow; `later` of them after a first attempt.
    private func probe(_ curve: SpringCurve, every step: Double, within limit: Double, after: Int, later: Int) -> Int? {
        guard curve.spring.regime != .undamped else { return nil }
        var (first, needed) = (0, after)
        for index in 0..<10_000 {
            if abs(curve.remaining.displacement(at: Double(index) * step)) >= limit {
                if index > first { needed = later }
                first = index + 1
            } else if index - first >= needed {
                return first
            }
        }
        return nil
    }

    /// Returns the time of the first frame with the distance and the speed within their limits; nil for none in 10 000 probes.
    ///
    /// That can be near a turning point, long before they stay within them. Frames that cannot be the first are skipped: the
    /// energy (ω x)² + v² bounds the speed and the acceleration, and falls at most with e^(-4γt).
    private func firstFrame(of curve: SpringCurve, distance: Double, speed: Double) -> Double? {
        let (frequency, decay) = (curve.spring.naturalFrequency, curve.spring.decayRate)
        var frame = 0.0
        for _ in 0..<10_000 where frame < .infinity {
            let time = frame / framesPerSecond
            let (displacement, rate) = curve.remaining.state(at: time)
            let (far, fast) = (abs(displacement) - distance, abs(rate) - speed)
            if far <= 0, fast <= 0 { return time }
            let fastest = hypot(frequency * displacement, rate)
            let excess = log(fastest / hypot(frequency * distance, speed))
            let wait = max(far / fastest, fast / fastest / (frequency + 2 * decay), excess > 0 ? excess / decay / 2 : 0)
            frame = max(frame + 1, ((time + wait) * framesPerSecond).rounded(.down))
        }
        return nil
    }
}

extension PlatformSettling {
    /// The travel of an animation in the unit of its property, above 0; some platforms end it within a distance in that unit.
    package typealias Travel = (amount: Double, property: Property)

    /// What moves: points, a scale, degrees, or an opacity.
    package enum Property: String, CaseIterable, Sendable {
        case position, scale, rotation, alpha

        /// The smallest visible change on Android (DynamicAnimation.java, `MIN_VISIBLE_CHANGE_…`).
        fileprivate var visibleChange: Double {
            switch self {
            case .position: 1
            case .scale: 1.0 / 500
            case .rotation: 0.1
            case .alpha: 1.0 / 256
            }
        }
    }
}

/// The phase ω t after which a measure of the motion reaches a threshold: it converts a duration to a frequency.
enum SettlingPhase {
    /// Returns the phase of the settling duration of SwiftUI and UIKit, and of Motion's duration with a bounce.
    ///
    /// Below critical damping it solves (ζ - vt / ωt) e^(-ζωt) / √(1-ζ²) = ε, which is not the envelope of a start at rest. At
    /// critical damping it solves (1 + ωt - vt) e^(-ωt) = ε. `ratio` is above 0 and at most 1; `travels` are vt, with the
    /// initial velocity. Returns nil if the left side, which falls from its peak, is never above ε.
    static func envelope(ratio: Double, threshold: Double, travels: Double = 0) -> Double? {
        let root = ((1 - ratio) * (1 + ratio)).squareRoot()
        guard ratio == 1 || travels != 0 else {
            let amplitude = ratio / root / threshold
            return amplitude > 1 ? log(amplitude) / ratio : nil
        }
        func excess(_ phase: Double) -> Double {
            (ratio < 1 ? (ratio - travels / phase) / root : 1 + phase - travels) * exp(-ratio * phase) - threshold
        }
        let peak = ratio < 1 ? (travels + (travels * travels + 4 * travels).squareRoot()) / (2 * ratio) : travels
        let start = travels > 0 ? peak : 1e-9
        return excess(start) > 0 ? bisect(start, start + 1e4 / ratio) { excess($0) > 0 } : nil
    }

    /// Returns the threshold that `envelope` reaches at a phase; nil if it is too small for a double.
    static func threshold(ratio: Double, phase: Double) -> Double? {
        let amplitude = ratio < 1 ? ratio / ((1 - ratio) * (1 + ratio)).squareRoot() : 1 + phase
        let threshold = amplitude * exp(-ratio * phase)
        return threshold.isNormal && threshold < 1 ? threshold : nil
    }

    /// Returns the s of e^(-2s) ((1 + s)² + ζ² s²) = 6e-9, Reanimated's energy for every ratio, whatever it draws.
    static func energy(ratio: Double) -> Double {
        // The left side falls from 1. At ζ = 100 it is below the threshold from 20 on.
        bisect(0, 100) { s in log((1 + s) * (1 + s) + ratio * ratio * s * s) - 2 * s > log(6e-9) }
    }
}
