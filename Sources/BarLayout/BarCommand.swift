/// What the client has to do to a scroll view (AirBar: `Scrollable.updateContentOffset(_:animated:)`): stop its
/// deceleration, then move its content to `target`.
package struct BarCommand: Sendable, Equatable {
    package let scrollableID: String
    package let target: Point
    package let animated: Bool
    /// How the bar wants a projected snap to move; nil for AirBar's own animation.
    package let spring: SnapSpring?

    /// The duration of AirBar's animation, in seconds: a quarter, or nothing.
    package var duration: Double { animated ? 0.25 : 0 }

    init(scrollableID: String, target: Point, animated: Bool, spring: SnapSpring? = nil) {
        self.scrollableID = scrollableID
        self.target = target
        self.animated = animated
        self.spring = spring
    }
}

/// A spring in the words of "Designing Fluid Interfaces" (WWDC 2018).
package struct SnapSpring: Sendable, Equatable {
    package let dampingRatio: Double
    /// The period of the undamped spring, in seconds.
    package let response: Double
    /// The velocity at release in travels per second, positive towards the target.
    package let relativeVelocity: Double
}
