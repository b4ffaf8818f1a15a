import Motion

extension Convention {
    package static let wwdc = Convention(
        id: "wwdc",
        title: "WWDC 2018: damping ratio and response",
        source: "\"Building Fluid Interfaces\"; nathangitter/fluid-interfaces, Spring.swift",
        parameters: [
            .number("dampingRatio", .dampingRatio, aliases: ["damping"], in: .directRatio),
            .number("response", .response, in: .directResponse, of: .directPeriod),
        ],
        isInferred: true,
        drawing: { curve, _ in curve.drawnAtMostCritical },
        snippet: { curve, _ in
            """
            extension UISpringTimingParameters {
                convenience init(damping: CGFloat, response: CGFloat, initialVelocity: CGVector = .zero) {
                    let frequency = 2 * CGFloat.pi / response
                    let (stiffness, friction) = (frequency * frequency, 2 * damping * frequency)
                    self.init(mass: 1, stiffness: stiffness, damping: friction, initialVelocity: initialVelocity)
                }
            }

            UISpringTimingParameters(damping: \(curve.spring.dampingRatio.snippet), \
            response: \(curve.spring.response.snippet)\
            \(curve.ifMoving(", initialVelocity: CGVector(dx: \(curve.initialVelocity.snippet), dy: 0)")))
            """
        }
    )

    /// UIKit's physical spring; its velocity is in travels per second along each axis.
    ///
    /// UIKit draws an overdamped spring as a critical one. The system's own has a ratio of 4.56 and ends after 0.506 s.
    package static let uikit = Convention(
        id: "uikit",
        title: "UISpringTimingParameters(mass:stiffness:damping:initialVelocity:)",
        source: "Apple, UISpringTimingParameters",
        parameters: .massStiffnessDamping(),
        drawing: { curve, _ in curve.drawnAtMostCritical },
        snippet: { curve, values in
            let velocity = curve.initialVelocity.snippet
            return """
                UISpringTimingParameters(\(values.members), \
                initialVelocity: CGVector(dx: \(velocity), dy: \(velocity)))

                // Or, since iOS 17:
                UIView.animate(springDuration: \(curve.spring.response.snippet), bounce: \(curve.spring.bounce.snippet)\
                \(curve.ifMoving(", initialSpringVelocity: \(velocity)"))) { view.center = target }
                """
        }
    )

    /// Core Animation's perceptual duration and bounce, also used by UIKit's `animate(springDuration:bounce:)`.
    package static let coreAnimationPerceptualDurationBounce = Convention(
        id: "coreanimation.perceptualDurationBounce",
        title: "CASpringAnimation(perceptualDuration:bounce:)",
        source: "Apple, CASpringAnimation; QuartzCore values as published by a public re-implementation",
        parameters: .durationBounce,
        snippet: { curve, _ in
            let velocity = curve.ifMoving("\nanimation.initialVelocity = \(curve.initialVelocity.snippet)")
            return """
                let animation = CASpringAnimation(perceptualDuration: \(curve.spring.response.snippet), \
                bounce: \(curve.spring.bounce.snippet))\
                \(curve.spring.regime == .overdamped ? "\nanimation.allowsOverdamping = true" : "")\
                \(velocity)

                // Before iOS 17 and macOS 14:
                let animation = CASpringAnimation()
                (animation.stiffness, animation.damping) = \
                (\(curve.spring.unitMassStiffness.snippet), \(curve.spring.unitMassDamping.snippet))\(velocity)
                """
        }
    )
}
