import Glibc

/// Scrolling on after the finger has left: the velocity falls by a constant factor every millisecond.
///
/// UIKit calls the factor a deceleration rate, and "Building Fluid Interfaces" projects the end of a gesture with it.
/// The article's formula is the sum of steps of one millisecond; a view that scrolls follows the integral, half a
/// millisecond of the velocity further on. Both are here under their own names.
package struct Deceleration: Sendable, Hashable {
    /// What is left of the velocity after a millisecond; above 0, below 1.
    package let rate: Double

    /// - Throws: `MotionError.outOfRange` for a rate that is not between 0 and 1.
    package init(rate: Double) throws(MotionError) {
        self.rate = try Self.range.checked(rate, "decelerationRate")
    }

    private init(unchecked rate: Double) {
        self.rate = rate
    }

    /// The rates there are.
    package static let range = ParameterRange(between: 0, and: 1)
    /// `UIScrollView.DecelerationRate.normal`.
    package static let normal = Deceleration(unchecked: 0.998)
    /// `UIScrollView.DecelerationRate.fast`.
    package static let fast = Deceleration(unchecked: 0.99)

    /// Logarithm of what is left after a second; negative.
    private var logarithm: Double { 1000 * log(rate) }

    /// The article's distance in points from `velocity` (points per second) to rest: v / 1000 · d / (1 - d).
    package func wwdcDistance(velocity: Double) -> Double {
        velocity / 1000 * rate / (1 - rate)
    }

    /// The distance in points that a scroll view travels from `velocity` (points per second) to rest.
    package func distance(velocity: Double) -> Double {
        -velocity / logarithm
    }

    /// The velocity in points per second that travels `distance` points: the inverse of `distance(velocity:)`.
    package func velocity(distance: Double) -> Double {
        -distance * logarithm
    }

    /// Position (points) and velocity (points per second) `time` seconds after leaving `start`.
    package func state(at time: Double, start: Double, velocity: Double) -> SpringCurve.State {
        // expm1 and not exp - 1: shortly after the start the difference is all there is.
        SpringCurve.State(
            position: start + velocity * expm1(logarithm * time) / logarithm,
            velocity: velocity * exp(logarithm * time)
        )
    }

    /// Seconds until less than `threshold` points are left to travel; 0 when no more are left from the start.
    package func restTime(velocity: Double, threshold: Double) -> Double {
        let left = abs(distance(velocity: velocity))
        return left > threshold ? log(threshold / left) / logarithm : 0
    }
}

/// Which of several resting places a gesture is meant for: the one nearest to where it would end.
package enum NearestTarget {
    /// The index of the target nearest to `position`; the first of several equally near; nil when there is none.
    package static func index(of position: Double, in targets: [Double]) -> Int? {
        var nearest: Int?
        var least = Double.infinity
        for (index, target) in targets.enumerated() where abs(target - position) < least {
            least = abs(target - position)
            nearest = index
        }
        return nearest
    }
}
