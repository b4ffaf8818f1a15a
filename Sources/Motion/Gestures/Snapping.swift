/// Picture in picture: after a fling it comes to rest in the corner nearest to the projected end.
package struct PictureInPicture: Sendable, Equatable {
    /// A point or a velocity, in points or points per second.
    package typealias Vector = SIMD2<Double>

    package let projected: Vector
    /// The corner nearest to the projected end: the first of equally near ones, or (0, 0) without corners.
    package let corner: Vector
    /// The velocity in travels per second, for each axis separately.
    package let relativeVelocity: Vector

    package static let spring = Spring(ratio: 1, response: 0.4)

    /// Releases a picture centred at `center`; `corners` are top left, top right, bottom left and bottom right.
    package init(center: Vector, velocity: Vector, corners: [Vector], deceleration: Deceleration = .normal) {
        let end = Vector(
            x: center.x + deceleration.wwdcDistance(velocity: velocity.x),
            y: center.y + deceleration.wwdcDistance(velocity: velocity.y)
        )
        func distance(_ corner: Vector) -> Double {
            let offset = corner - end
            return (offset.x * offset.x + offset.y * offset.y).squareRoot()
        }
        projected = end
        corner = corners.min { distance($0) < distance($1) } ?? .zero
        relativeVelocity = Vector(
            x: RelativeVelocity.of(velocity: velocity.x, from: center.x, to: corner.x),
            y: RelativeVelocity.of(velocity: velocity.y, from: center.y, to: corner.y)
        )
    }
}

/// The rotation of the article: a rotated view comes to rest at the quarter turn nearest to the projected end.
package struct RotationSnap: Sendable, Equatable {
    /// The projected end of the rotation in radians.
    package let projected: Double
    /// The quarter turn nearest to the projected end, in radians.
    package let angle: Double
    /// The velocity in travels per second.
    package let relativeVelocity: Double

    /// The spring to the quarter turn; its velocity has no dy.
    package static let spring = Spring(ratio: 0.8, response: 0.4)

    /// Releases a view that the gesture has rotated by `rotation` radians, at `velocity` radians per second.
    ///
    /// The original clamps the angle to half a turn in either direction, so a view that was rotated further spins back.
    package init(rotation: Double, velocity: Double, deceleration: Deceleration = .fast, isClamped: Bool = true) {
        projected = rotation + deceleration.wwdcDistance(velocity: velocity)
        let quarter = Double.pi / 2
        let nearest = (projected / quarter).rounded() * quarter
        angle = isClamped ? min(max(nearest, -.pi), .pi) : nearest
        relativeVelocity = RelativeVelocity.of(velocity: velocity, from: rotation, to: angle)
    }
}
