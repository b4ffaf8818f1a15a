/// An animation that is interrupted and continues to another target, from its position and with its velocity.
public struct Retargeting: Sendable, Equatable {
    /// The value at the interruption, in points.
    public let value: Double
    /// The velocity at the interruption, in points per second.
    public let velocity: Double
    /// The velocity in travels per second of the new travel; exactly 0 if that travel is 0.
    public let relativeVelocity: Double
    /// The curve to the new target.
    public let curve: SpringCurve

    /// Interrupts an animation of `spring` from `start` to `target` after `time` seconds.
    ///
    /// Positions are in points, velocities in points per second. `cap` is the largest magnitude of the relative velocity.
    public init(
        _ spring: Spring,
        start: Double,
        target: Double,
        velocity: Double,
        time: Double,
        newTarget: Double,
        next: Spring,
        cap: Double? = nil
    ) {
        let state = spring.state(at: time, start: start, target: target, velocity: velocity)
        (value, self.velocity) = (state.position, state.velocity)
        relativeVelocity = RelativeVelocity.of(velocity: state.velocity, from: value, to: newTarget, cap: cap)
        curve = SpringCurve(next, initialVelocity: relativeVelocity)
    }
}
