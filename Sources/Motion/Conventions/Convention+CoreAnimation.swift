extension Convention {
    /// Core Animation's perceptual duration and bounce, which UIKit's `animate(springDuration:bounce:)` takes as well.
    static let coreAnimationPerceptualDurationBounce = Convention(
        id: "coreanimation.perceptualDurationBounce",
        title: "CASpringAnimation(perceptualDuration:bounce:)",
        source: "Apple, CASpringAnimation; QuartzCore values as published by a public re-implementation",
        parameters: .durationBounce,
        read: { values throws(MotionError) in try values.durationBounce() },
        write: { curve in
            let spring = curve.spring
            let velocity =
                curve.initialVelocity == 0 ? "" : "\nanimation.initialVelocity = \(curve.initialVelocity.snippet)"
            return ConventionWriting(
                ["duration": spring.response, "bounce": spring.bounce],
                snippet: """
                    let animation = CASpringAnimation(perceptualDuration: \(spring.response.snippet), \
                    bounce: \(spring.bounce.snippet))\(velocity)
                    """,
                drawn: curve
            )
        }
    )
}
