import Motion

extension Convention {
    package static let swiftUIResponse = Convention(
        id: "swiftui.response",
        title: "Spring(response:dampingRatio:)",
        source: "OpenSwiftUIProject/OpenSwiftUI, Spring+ResponseDampingRatio.swift",
        parameters: [
            .number("response", .response, in: .directResponse, of: .directPeriod),
            .number("dampingRatio", .dampingRatio, in: .directRatio),
        ],
        drawing: { curve, _ in curve.drawnBySwiftUI },
        snippet: { $0.swiftUI($1.members) }
    )

    /// SwiftUI's perceptual duration and bounce, names to which Motion gives another meaning.
    package static let swiftUIDurationBounce = Convention(
        id: "swiftui.durationBounce",
        title: "Spring(duration:bounce:)",
        source: "OpenSwiftUIProject/OpenSwiftUI, FluidSpringAnimation.swift",
        parameters: .durationBounce,
        isInferred: true,
        drawing: { curve, _ in curve.drawnBySwiftUI },
        snippet: { $0.swiftUI($1.members) }
    )

    static let swiftUIPhysical = Convention(
        id: "swiftui.physical",
        title: "Spring(mass:stiffness:damping:allowOverDamping:)",
        source: "Apple, Spring; skevy/wobble, src/index.ts has the same default",
        parameters: .physical(allowsOverdamping: false),
        drawing: { curve, _ in curve.drawnBySwiftUI },
        snippet: { curve, values in
            curve.swiftUI(values.members + (curve.spring.regime == .overdamped ? ", allowOverDamping: true" : ""))
        }
    )

    /// SwiftUI's spring with a settling duration, which is not the inverse of the property `settlingDuration`.
    static let swiftUISettlingDuration = Convention(
        id: "swiftui.settlingDuration",
        title: "Spring(settlingDuration:dampingRatio:epsilon:)",
        source: "OpenSwiftUIProject/OpenSwiftUI, Spring+SettlingDurationDampingRatio.swift",
        parameters: [
            .number("settlingDuration", .duration, in: .directSettling, limit: ParameterRange(0.01...10)),
            .number("dampingRatio", .dampingRatio, in: ratios, of: .openRatio, limit: ParameterRange(1e-9...1)),
            .number("epsilon", .epsilon, in: .directEpsilon, default: 0.001),
        ],
        isInferred: true,
        phase: { ratio, epsilon in SettlingPhase.envelope(ratio: ratio, threshold: epsilon) },
        drawing: { curve, _ in curve.drawnBySwiftUI },
        snippet: { $0.swiftUI($1.members) }
    )

    private static let ratios = ParameterRange(1e-9...100)
}

extension SpringCurve {
    /// The curve that SwiftUI draws: with a stiffness of at most 45 000 at a mass of 1 (OpenSwiftUIProject/OpenSwiftUI,
    /// FluidSpringAnimation.swift), or with a velocity at most critically damped (SpringAnimation.swift).
    var drawnBySwiftUI: Convention.Drawing {
        guard initialVelocity == 0 else { return drawnAtMostCritical }
        let highestFrequency = 45_000.0.squareRoot()
        guard spring.naturalFrequency > highestFrequency else { return (DrawnCurve(self), []) }
        return (DrawnCurve(with(ratio: spring.dampingRatio, frequency: highestFrequency)), [.drawnSlower])
    }

    func swiftUI(_ members: String) -> String {
        let name = initialVelocity == 0 ? "spring" : "interpolatingSpring"
        let end = ifMoving(", initialVelocity: \(initialVelocity.snippet)") + ")"
        let response = "response: \(spring.response.snippet), dampingFraction: \(spring.dampingRatio.snippet)"
        let physical = "stiffness: \(spring.unitMassStiffness.snippet), damping: \(spring.unitMassDamping.snippet)"
        let older = "Animation.\(name)(\(initialVelocity == 0 ? response : physical)\(end)"
        return "Animation.\(name)(Spring(\(members))\(end)\n\n// Before iOS 17 and macOS 14:\n\(older)"
    }
}
