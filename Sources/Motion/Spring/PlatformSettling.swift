import Glibc
import Primitives

/// When each platform itself thinks that a spring is at rest, in seconds.
///
/// Nobody agrees: some bound the envelope, some probe a grid, some ask for a velocity in the units of the value. The
/// numbers are what those platforms report for a travel of one unit; nil where a platform says never, or where it is
/// not known what it says. Sources: the platforms' open code, and published measurements for Apple's.
package struct PlatformSettling: Sendable, Equatable {
    package let swiftUI: Double?
    package let coreAnimation: Double?
    package let motion: Double?
    package let flutter: Double?
    package let android: Double?
    package let compose: Double?
    package let reactSpring: Double?
    package let reactNative: Double?
    package let reanimated: Double?

    /// Asks every platform; `epsilon` is the share of the travel that SwiftUI's function takes, the others have their own.
    package init(_ curve: SpringCurve, epsilon: Double) {
        swiftUI = Self.swiftUI(curve, epsilon: epsilon)
        coreAnimation = Self.coreAnimation(curve)
        motion = Self.motion(curve)
        flutter = Self.rest(of: curve, distance: 0.001, speed: 0.001)
        android = Self.rest(of: curve, distance: 0.0025, speed: 62.5 * 0.0025)
        compose = Self.compose(curve)
        reactSpring = Self.rest(of: curve, distance: 0.001, speed: 0.1)
        let drawn = curve.atMostCritical
        reactNative = Self.rest(of: drawn, distance: 0.001, speed: 0.001)
        reanimated = Self.energyTime(of: drawn, share: 6e-9)
    }

    /// SwiftUI's `settlingDuration` (OpenSwiftUI, Spring+VectorArithmetic.swift).
    ///
    /// The decay rate and the velocity are
    /// added to a plain 1 there: a bound of mixed units, kept as it is.
    private static func swiftUI(_ curve: SpringCurve, epsilon: Double) -> Double? {
        let rate = curve.spring.decayRate
        guard curve.spring.dampingRatio < 1 else { return tenths(curve, epsilon: epsilon) }
        guard rate > 0 else { return nil }
        return finite(log((1 + abs(rate - curve.initialVelocity)) / epsilon) / rate)
    }

    /// `CASpringAnimation.settlingDuration`, which is also a property animator's duration; published values only
    /// cover a start at rest, so that nothing is said about another.
    private static func coreAnimation(_ curve: SpringCurve) -> Double? {
        guard curve.initialVelocity == 0 else { return nil }
        guard curve.spring.dampingRatio < 1 else { return tenths(curve, epsilon: 0.001) }
        let rate = curve.spring.decayRate
        guard rate > 0 else { return nil }
        return finite(log((1 + rate / curve.spring.dampedFrequency) / 0.001) / rate)
    }

    /// Apple's grid from critical on: a tenth of a second after the last tenth at `epsilon` or more; it gives up, and
    /// says 0, after about 101 s.
    private static func tenths(_ curve: SpringCurve, epsilon: Double) -> Double? {
        guard let settled = curve.settlingTime(epsilon: epsilon), settled < 101 else { return 0 }
        let last = Int.clamping((settled * 10).rounded(.down), to: 0...1010) + 1
        // The tenths are few: at most 1011.
        for tenth in stride(from: last, to: 0, by: -1)
        where abs(curve.remaining.displacement(at: Double(tenth) / 10)) >= epsilon {
            return Double(tenth + 1) / 10
        }
        return 0.1
    }

    /// Motion's: the first multiple of 50 ms within 0.005 of the target and at a speed of at most 0.01; it never ends
    /// from 20 s on (motion-dom, calc-duration.ts).
    private static func motion(_ curve: SpringCurve) -> Double? {
        for probe in 1..<400 {
            let time = Double(probe) * 0.05
            let state = curve.state(at: time)
            if abs(1 - state.position) <= 0.005, abs(state.velocity) <= 0.01 { return time }
        }
        return nil
    }

    /// Compose's estimate (SpringEstimation.kt): the envelope below critical, the exact time from there on, for its
    /// default threshold of 0.01, in whole milliseconds.
    private static func compose(_ curve: SpringCurve) -> Double? {
        let time =
            curve.spring.dampingRatio < 1 ? curve.envelopeTime(epsilon: 0.01) : curve.settlingTime(epsilon: 0.01)
        return time.map { ($0 * 1000).rounded(.down) / 1000 }
    }

    /// From when on both the distance and the speed stay within their limits.
    private static func rest(of curve: SpringCurve, distance: Double, speed: Double) -> Double? {
        guard let near = curve.remaining.lastTime(above: distance), let slow = curve.speed.lastTime(above: speed) else {
            return nil
        }
        return max(near, slow)
    }

    /// When the energy, which only falls, is down to `share` of what it was (Reanimated, springUtils.ts).
    private static func energyTime(of curve: SpringCurve, share: Double) -> Double? {
        let frequency = curve.spring.naturalFrequency
        let energy = { (time: Double) in
            let (distance, rate) = curve.remaining.state(at: time)
            return distance * distance + rate / frequency * (rate / frequency)
        }
        guard curve.spring.dampingRatio > 0 else { return nil }
        let limit = share * energy(0)
        // Doublings from one time constant to 1e15 of them.
        for doublings in 0..<50 {
            let end = Double(sign: .plus, exponent: doublings, significand: 1) / frequency
            if energy(end) <= limit { return bisect(0, end) { energy($0) > limit } }
        }
        return nil
    }

    private static func finite(_ time: Double) -> Double? {
        time.isFinite ? time : nil
    }
}
