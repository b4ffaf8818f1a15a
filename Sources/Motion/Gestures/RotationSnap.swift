/// The rotation of the article: a turned view comes to rest at the quarter turn that the gesture was meant for.
package struct RotationSnap: Sendable, Equatable {
    /// Where the rotation would end, in radians.
    package let projected: Double
    /// The quarter turn nearest to that, in radians.
    package let angle: Double
    /// The velocity in travels per second.
    package let relativeVelocity: Double

    /// The spring to the quarter turn; its velocity has no dy.
    package static let spring = GestureSpring(ratio: 0.8, response: 0.4)

    /// Lets a view go that the gesture has turned by `rotation` radians, at `velocity` radians per second.
    ///
    /// The original holds the angle to half a turn either way, so that a view that was turned further spins back;
    /// `isClamped: false` does not.
    package init(rotation: Double, velocity: Double, deceleration: Deceleration = .fast, isClamped: Bool = true) {
        projected = rotation + deceleration.wwdcDistance(velocity: velocity)
        let quarter = Double.pi / 2
        // Ties away from zero, as `rounded()` does.
        let nearest = (projected / quarter).rounded() * quarter
        angle = isClamped ? min(max(nearest, -.pi), .pi) : nearest
        relativeVelocity = RelativeVelocity.of(velocity: velocity, from: rotation, to: angle)
    }
}
