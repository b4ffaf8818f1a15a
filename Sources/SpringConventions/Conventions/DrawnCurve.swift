import CMathematics
package import Motion

/// The curve that a platform draws: that of a spring, which a fault of the platform may cut off, or a flag end at the target.
package struct DrawnCurve: Sendable, Hashable {
    /// The curve up to `cut`.
    package let curve: SpringCurve
    /// The time in seconds from which the distance to the target falls with the decay rate alone; nil for never.
    let cut: Double?
    private var isClamped = false

    package init(_ curve: SpringCurve, cut: Double? = nil) {
        self.curve = curve
        self.cut = cut
    }

    /// Returns the largest distance to the curve that was wanted; after a cut, that is the curve before it.
    package func distance(from wanted: SpringCurve) -> SpringCurve.Distance {
        guard let cut else { return wanted.distance(to: curve, isClamped: isClamped) }
        // Only the slow exponential is left at the cut. The two are furthest apart where their derivatives are equal.
        let (fast, slow) = (curve.spring.decayRate, curve.spring.slowRate)
        let time = cut + log(fast / slow) / (fast - slow)
        return (abs(wanted.remaining.displacement(at: time) - remaining(at: time)), time)
    }

    /// Draws the target in place of what is beyond it, and returns whether anything is.
    mutating func clamp() -> Bool {
        isClamped = curve.overshoot > 0
        return isClamped
    }

    /// Returns the distance to the target at `time` seconds, as a share of the travel.
    package func remaining(at time: Double) -> Double {
        guard let cut, time > cut else {
            let distance = curve.remaining.displacement(at: time)
            return isClamped ? max(0, distance) : distance
        }
        return curve.remaining.displacement(at: cut) * exp(-curve.spring.decayRate * (time - cut))
    }
}

extension SpringCurve {
    /// The curve that Motion draws: it caps the argument of sinh and cosh at 300 (motion-dom 13.1.1, spring.ts), from where
    /// on only the fast factor e^(-ζωt) is left, so an overdamped spring that is still far away jumps.
    var cutOffByMotion: DrawnCurve? {
        guard spring.dampingRatio > 1 else { return nil }
        let cut = 300 / (spring.decayRate - spring.slowRate)
        guard abs(remaining.displacement(at: cut)) > 1e-6 else { return nil }
        return DrawnCurve(self, cut: cut)
    }
}
