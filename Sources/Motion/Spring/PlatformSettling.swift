import Primitives

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The settling time of a spring in seconds, as each platform computes it.
///
/// The definitions differ: some bound the envelope, some sample a grid, some use a velocity in units of the value. The
/// numbers are those that the platforms report for a travel of one unit. A value is nil if the platform reports that the
/// spring never settles, or if its result is unknown. Sources: the open code of the platforms, and published
/// measurements for Apple's.
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

    /// Computes the settling time of every platform.
    ///
    /// Only SwiftUI uses `epsilon`, a share of the travel; the others have fixed thresholds.
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
    /// It adds the decay rate and the velocity to 1, which mixes units. The formula is reproduced unchanged.
    private static func swiftUI(_ curve: SpringCurve, epsilon: Double) -> Double? {
        let rate = curve.spring.decayRate
        guard curve.spring.dampingRatio < 1 else { return tenths(curve, epsilon: epsilon) }
        guard rate > 0 else { return nil }
        return finite(log((1 + abs(rate - curve.initialVelocity)) / epsilon) / rate)
    }

    /// `CASpringAnimation.settlingDuration`, which is also the duration of a property animator.
    ///
    /// Published values cover only a start at rest; the result is nil for any other start.
    private static func coreAnimation(_ curve: SpringCurve) -> Double? {
        guard curve.initialVelocity == 0 else { return nil }
        guard curve.spring.dampingRatio < 1 else { return tenths(curve, epsilon: 0.001) }
        let rate = curve.spring.decayRate
        guard rate > 0 else { return nil }
        return finite(log((1 + rate / curve.spring.dampedFrequency) / 0.001) / rate)
    }

    /// Apple's grid for critical and overdamped springs: a tenth of a second after the last tenth at `epsilon` or more.
    ///
    /// It stops after about 101 s and returns 0.
    private static func tenths(_ curve: SpringCurve, epsilon: Double) -> Double? {
        guard let settled = curve.settlingTime(epsilon: epsilon), settled < 101 else { return 0 }
        let last = Int.clamping((settled * 10).rounded(.down), to: 0...1010) + 1
        // There are at most 1011 tenths.
        for tenth in stride(from: last, to: 0, by: -1)
        where abs(curve.remaining.displacement(at: Double(tenth) / 10)) >= epsilon {
            return Double(tenth + 1) / 10
        }
        return 0.1
    }

    /// Motion's: the first multiple of 50 ms within 0.005 of the target at a speed of at most 0.01.
    ///
    /// The platform stops after 20 s; the result is then nil (motion-dom, calc-duration.ts).
    private static func motion(_ curve: SpringCurve) -> Double? {
        for probe in 1..<400 {
            let time = Double(probe) * 0.05
            let state = curve.state(at: time)
            if abs(1 - state.position) <= 0.005, abs(state.velocity) <= 0.01 { return time }
        }
        return nil
    }

    /// Compose's estimate in whole milliseconds for its default threshold of 0.01 (SpringEstimation.kt).
    ///
    /// It is the envelope below critical damping, and the exact time otherwise.
    private static func compose(_ curve: SpringCurve) -> Double? {
        let time =
            curve.spring.dampingRatio < 1 ? curve.envelopeTime(epsilon: 0.01) : curve.settlingTime(epsilon: 0.01)
        return time.map { ($0 * 1000).rounded(.down) / 1000 }
    }

    /// Returns the time from which both the distance and the speed stay within their limits.
    private static func rest(of curve: SpringCurve, distance: Double, speed: Double) -> Double? {
        guard let near = curve.remaining.lastTime(above: distance), let slow = curve.speed.lastTime(above: speed) else {
            return nil
        }
        return max(near, slow)
    }

    /// Returns the time at which the energy, which only falls, reaches `share` of its initial value (Reanimated,
    /// springUtils.ts).
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
