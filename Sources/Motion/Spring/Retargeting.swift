/// An animation that is given another target on its way: what makes an interface interruptible and redirectable.
///
/// Where it is and how fast it moves at that moment is all that carries over; the new spring starts there.
package struct Retargeting: Sendable, Equatable {
    /// Value (points) and velocity (points per second) at the interruption.
    package let value: Double
    package let velocity: Double
    /// The velocity in travels per second of the way to the new target: exactly 0 when there is no way to go.
    package let relativeVelocity: Double
    /// The curve over that way.
    package let curve: SpringCurve

    /// Interrupts an animation of `spring` from `start` to `target` after `time` seconds.
    ///
    /// Positions are in points, velocities in points per second; `next` is the spring to the new target, and `cap` the
    /// largest magnitude of its relative velocity.
    package init(
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
        value = state.position
        self.velocity = state.velocity
        relativeVelocity = RelativeVelocity.of(
            velocity: state.velocity,
            from: state.position,
            to: newTarget,
            cap: cap
        )
        curve = SpringCurve(next, initialVelocity: relativeVelocity)
    }
}

extension Spring {
    /// What `UIViewPropertyAnimator.continueAnimation` calls the duration factor: how long this spring runs, as UIKit
    /// counts from rest, over how long the running animation does.
    ///
    /// Nil without damping, which never ends; `runningDuration` is in seconds and above 0.
    package func durationFactor(runningDuration: Double) -> Double? {
        PlatformSettling(SpringCurve(self), epsilon: 0.001).coreAnimation.map { $0 / runningDuration }
    }
}
