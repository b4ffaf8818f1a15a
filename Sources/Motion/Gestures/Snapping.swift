/// The picture in a picture: flung, it comes to rest in the corner that the fling was meant for.
package struct PictureInPicture: Sendable, Equatable {
    /// A point or a velocity, in points or points per second.
    package struct Vector: Sendable, Equatable {
        package let x: Double
        package let y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// Where the fling would end.
    package let projected: Vector
    /// The corner nearest to that; the first of equally near ones, and (0, 0) when there is none.
    package let corner: Vector
    /// The velocity in travels per second, along each axis for itself.
    package let relativeVelocity: Vector

    /// The spring to the corner.
    package static let spring = Spring(ratio: 1, response: 0.4)

    /// Lets a picture go whose centre is at `center`; `corners` are in the order top left, top right, bottom left,
    /// bottom right.
    package init(center: Vector, velocity: Vector, corners: [Vector], deceleration: Deceleration = .normal) {
        let end = Vector(
            x: center.x + deceleration.wwdcDistance(velocity: velocity.x),
            y: center.y + deceleration.wwdcDistance(velocity: velocity.y)
        )
        var nearest = Vector(x: 0, y: 0)
        var least = Double.infinity
        for corner in corners {
            let (dx, dy) = (corner.x - end.x, corner.y - end.y)
            let distance = (dx * dx + dy * dy).squareRoot()
            if distance < least { (least, nearest) = (distance, corner) }
        }
        projected = end
        corner = nearest
        relativeVelocity = Vector(
            x: RelativeVelocity.of(velocity: velocity.x, from: center.x, to: nearest.x),
            y: RelativeVelocity.of(velocity: velocity.y, from: center.y, to: nearest.y)
        )
    }
}

/// The rotation of the article: a turned view comes to rest at the quarter turn that the gesture was meant for.
package struct RotationSnap: Sendable, Equatable {
    /// Where the rotation would end, in radians.
    package let projected: Double
    /// The quarter turn nearest to that, in radians.
    package let angle: Double
    /// The velocity in travels per second.
    package let relativeVelocity: Double

    /// The spring to the quarter turn; its velocity has no dy.
    package static let spring = Spring(ratio: 0.8, response: 0.4)

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
