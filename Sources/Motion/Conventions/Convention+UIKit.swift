extension Convention {
    /// Damping ratio and response, the terms of the WWDC 2018 talk and of the article.
    ///
    /// The snippet calls the initialiser that the article adds to UIKit. The convention `uikit` writes UIKit's own.
    static let wwdc = Convention(
        id: "wwdc",
        title: "WWDC 2018: damping ratio and response",
        source: "\"Building Fluid Interfaces\"; nathangitter/fluid-interfaces, Spring.swift",
        parameters: [
            .number("dampingRatio", aliases: ["damping"], in: .directRatio),
            .number("response", in: .directResponse, of: .directPeriod, unit: "seconds"),
        ],
        isInferred: true,
        read: { values throws(MotionError) in
            ConventionReading(
                Spring(
                    dampingRatio: try Spring.DampingRatio(values["dampingRatio"]),
                    response: try Spring.Response(values["response"])
                )
            )
        },
        write: { curve in
            let spring = curve.spring
            let velocity =
                curve.initialVelocity == 0
                ? "" : ", initialVelocity: CGVector(dx: \(curve.initialVelocity.snippet), dy: 0)"
            return ConventionWriting(
                ["dampingRatio": spring.dampingRatio, "response": spring.response],
                snippet: """
                    UISpringTimingParameters(damping: \(spring.dampingRatio.snippet), \
                    response: \(spring.response.snippet)\(velocity))
                    """,
                drawn: curve
            )
        }
    )
}

extension Convention {
    /// UIKit's physical spring.
    ///
    /// Its velocity is relative, in travels per second along each axis.
    static let uikit = Convention(
        id: "uikit",
        title: "UISpringTimingParameters(mass:stiffness:damping:initialVelocity:)",
        source: "Apple, UISpringTimingParameters",
        parameters: .massStiffnessDamping,
        read: { values throws(MotionError) in try values.physical() },
        write: { curve in
            let velocity = curve.initialVelocity.snippet
            return curve.physicalWriting(
                snippet: """
                    UISpringTimingParameters(\(curve.physicalMembers()), \
                    initialVelocity: CGVector(dx: \(velocity), dy: \(velocity)))
                    """
            )
        }
    )
}

extension Convention {
    /// Core Animation's perceptual duration and bounce, also used by UIKit's `animate(springDuration:bounce:)`.
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
