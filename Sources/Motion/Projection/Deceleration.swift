import CMathematics

/// Scrolling after the finger has left: the velocity falls by a constant factor every millisecond.
///
/// UIKit calls the factor a deceleration rate. "Building Fluid Interfaces" projects the end of a gesture with the sum of
/// steps of one millisecond. A scroll view follows the integral, which is half a millisecond of the velocity longer.
public struct Deceleration: Sendable, Hashable {
    /// The share of the velocity that remains after a millisecond; above 0, below 1.
    public let rate: Double

    /// - Throws: `MotionError.outOfRange` for a rate that is not between 0 and 1.
    public init(rate: Double) throws(MotionError) {
        self.rate = try Self.range.checked(rate, "decelerationRate")
    }

    private init(unchecked rate: Double) {
        self.rate = rate
    }

    /// The allowed rates.
    public static let range = ParameterRange(between: 0, and: 1)
    /// `UIScrollView.DecelerationRate.normal`.
    public static let normal = Deceleration(unchecked: 0.998)
    /// `UIScrollView.DecelerationRate.fast`.
    public static let fast = Deceleration(unchecked: 0.99)

    /// Logarithm of the share that remains after a second; negative.
    private var logarithm: Double { 1000 * log(rate) }
    /// Returns the article's distance in points from `velocity` (points per second) to rest: v / 1000 · d / (1 - d).
    public func wwdcDistance(velocity: Double) -> Double { velocity / 1000 * rate / (1 - rate) }
    /// Returns the distance in points that a scroll view travels from `velocity` (points per second) to rest.
    public func distance(velocity: Double) -> Double { -velocity / logarithm }
    /// Returns the velocity in points per second that travels `distance` points: the inverse of `distance(velocity:)`.
    public func velocity(distance: Double) -> Double { -distance * logarithm }

    /// Returns the position (points) and the velocity (points per second) `time` seconds after leaving `start`.
    public func state(at time: Double, start: Double, velocity: Double) -> SpringCurve.State {
        Self.state(at: time, start: start, velocity: velocity, logarithm: logarithm)
    }

    /// Returns the state of a motion; the logarithm is that of the share of its velocity that is left after a second.
    package static func state(at time: Double, start: Double, velocity: Double, logarithm: Double) -> SpringCurve.State
    {
        // expm1 and not exp - 1, which loses its digits shortly after the start.
        let position = start + velocity * expm1(logarithm * time) / logarithm
        return SpringCurve.State(position: position, velocity: velocity * exp(logarithm * time))
    }

    /// Returns the seconds until less than `threshold` points remain; 0 if no more remain at the start.
    public func restTime(velocity: Double, threshold: Double) -> Double {
        let left = abs(distance(velocity: velocity))
        return left > threshold ? log(threshold / left) / logarithm : 0
    }
}

/// The choice between several resting positions: the nearest one to the projected end of a gesture.
public enum NearestTarget {
    /// Returns the index of the target nearest to `position`, the first of equally near ones; nil without targets.
    public static func index(of position: Double, in targets: [Double]) -> Int? {
        targets.indices.min { abs(targets[$0] - position) < abs(targets[$1] - position) }
    }
}
