import CMathematics
import Primitives

extension SpringCurve {
    /// The curve that a platform without overdamped springs draws.
    package var atMostCritical: SpringCurve {
        spring.regime == .overdamped ? SpringCurve(spring.critical, initialVelocity: initialVelocity) : self
    }

    /// `CASpringAnimation.settlingDuration` in seconds, also of property animators; known only for a start at rest.
    package var coreAnimationSettling: Double? {
        guard initialVelocity == 0 else { return nil }
        return atMostCritical.appleSettling(epsilon: 0.001) { $0 / spring.dampedFrequency }
    }

    /// Returns Apple's time: below critical damping, that of an envelope with the amplitude 1 and `excess` of the rate.
    ///
    /// From there on it is a tenth of a second after the last tenth at `epsilon` or more; 0 after about 101 s.
    package func appleSettling(epsilon: Double, excess: (Double) -> Double) -> Double? {
        let rate = spring.decayRate
        guard spring.dampingRatio >= 1 else { return rate > 0 ? log((1 + excess(rate)) / epsilon) / rate : nil }
        guard let settled = settlingTime(epsilon: epsilon), settled < 101 else { return 0 }
        let last = Int.clamping((settled * 10).rounded(.down), to: 0...1010) + 1
        let tenth = (1...last).last { abs(remaining.displacement(at: Double($0) / 10)) >= epsilon } ?? 0
        return Double(tenth + 1) / 10
    }
}

extension Spring {
    /// Returns the duration factor of `UIViewPropertyAnimator.continueAnimation`; nil for an undamped spring.
    ///
    /// It is UIKit's duration of this spring from rest, divided by that of the running animation, in seconds above 0.
    public func durationFactor(runningDuration: Double) -> Double? {
        SpringCurve(self).coreAnimationSettling.map { $0 / runningDuration }
    }
}
