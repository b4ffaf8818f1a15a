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
package struct PlatformSettling: Sendable {
    private let curve: SpringCurve
    private let epsilon: Double

    /// Prepares the settling times of a curve.
    ///
    /// Only SwiftUI uses `epsilon`, a share of the travel; the others have fixed thresholds.
    package init(_ curve: SpringCurve, epsilon: Double) {
        self.curve = curve
        self.epsilon = epsilon
    }

    /// SwiftUI's `settlingDuration` (OpenSwiftUI, Spring+VectorArithmetic.swift).
    ///
    /// It adds the decay rate and the velocity to 1, which mixes units. The formula is reproduced unchanged.
    package var swiftUI: Double? {
        let rate = curve.spring.decayRate
        guard curve.spring.dampingRatio < 1 else { return tenths(epsilon: epsilon) }
        return finite(log((1 + abs(rate - curve.initialVelocity)) / epsilon) / rate)
    }

    /// `CASpringAnimation.settlingDuration`, which is also the duration of a property animator.
    ///
    /// Published values cover only a start at rest; the result is nil for any other start.
    package var coreAnimation: Double? {
        guard curve.initialVelocity == 0 else { return nil }
        let rate = curve.spring.decayRate
        guard curve.spring.dampingRatio < 1 else { return tenths(epsilon: 0.001) }
        return finite(log((1 + rate / curve.spring.dampedFrequency) / 0.001) / rate)
    }

    /// Motion's: the first multiple of 50 ms within 0.005 of the target at a speed of at most 0.01.
    ///
    /// The platform stops after 20 s; the result is then nil (motion-dom, calc-duration.ts).
    package var motion: Double? {
        (1..<400).lazy.map { Double($0) * 0.05 }.first { time in
            let state = curve.state(at: time)
            return abs(1 - state.position) <= 0.005 && abs(state.velocity) <= 0.01
        }
    }

    /// Flutter's, which stops at a distance and a speed.
    package var flutter: Double? { rest(of: curve, distance: 0.001, speed: 0.001) }

    /// Android's, with limits for a visible change of 0.0025.
    package var android: Double? { rest(of: curve, distance: 0.0025, speed: 62.5 * 0.0025) }

    /// Compose's estimate in whole milliseconds for its default threshold of 0.01 (SpringEstimation.kt).
    ///
    /// It is the envelope below critical damping, and the exact time otherwise.
    package var compose: Double? {
        let time =
            curve.spring.dampingRatio < 1 ? curve.envelopeTime(epsilon: 0.01) : curve.settlingTime(epsilon: 0.01)
        return time.map { ($0 * 1000).rounded(.down) / 1000 }
    }

    /// react-spring's, with the limits of its defaults.
    package var reactSpring: Double? { rest(of: curve, distance: 0.001, speed: 0.1) }

    /// React Native's, of the curve that it draws.
    package var reactNative: Double? { rest(of: curve.atMostCritical, distance: 0.001, speed: 0.001) }

    /// Reanimated's: the time at which the energy, which only falls, reaches its threshold (springUtils.ts).
    package var reanimated: Double? {
        let curve = curve.atMostCritical
        let frequency = curve.spring.naturalFrequency
        let energy = { (time: Double) in
            let (distance, rate) = curve.remaining.state(at: time)
            return distance * distance + rate / frequency * (rate / frequency)
        }
        guard curve.spring.dampingRatio > 0 else { return nil }
        let limit = 6e-9 * energy(0)
        // Doublings from one time constant to 1e15 of them.
        for doublings in 0..<50 {
            let end = Double(sign: .plus, exponent: doublings, significand: 1) / frequency
            if energy(end) <= limit { return bisect(0, end) { energy($0) > limit } }
        }
        return nil
    }

    /// Apple's grid for critical and overdamped springs: a tenth of a second after the last tenth at `epsilon` or more.
    ///
    /// It stops after about 101 s and returns 0.
    private func tenths(epsilon: Double) -> Double? {
        guard let settled = curve.settlingTime(epsilon: epsilon), settled < 101 else { return 0 }
        let last = Int.clamping((settled * 10).rounded(.down), to: 0...1010) + 1
        // There are at most 1011 tenths.
        for tenth in stride(from: last, to: 0, by: -1)
        where abs(curve.remaining.displacement(at: Double(tenth) / 10)) >= epsilon {
            return Double(tenth + 1) / 10
        }
        return 0.1
    }

    /// Returns the time from which both the distance and the speed stay within their limits.
    private func rest(of curve: SpringCurve, distance: Double, speed: Double) -> Double? {
        guard let near = curve.remaining.lastTime(above: distance), let slow = curve.speed.lastTime(above: speed) else {
            return nil
        }
        return max(near, slow)
    }

    private func finite(_ time: Double) -> Double? {
        time.isFinite ? time : nil
    }
}
