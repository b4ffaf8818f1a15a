extension Convention {
    /// Android's `SpringForce`, whose mass is 1.
    static let android = Convention(
        id: "android",
        title: "SpringForce: stiffness and damping ratio",
        source: "androidx/androidx, dynamicanimation, SpringForce.java",
        parameters: [
            .number("stiffness", .stiffness, in: .directStiffness, of: .directPhysics),
            .number("dampingRatio", .dampingRatio, in: .directRatio),
        ],
        isInferred: true,
        snippet: { curve, _ in
            """
            animation.spring = SpringForce(target).setStiffness(\(curve.spring.unitMassStiffness.snippet)f)\
            .setDampingRatio(\(curve.spring.dampingRatio.snippet)f)\
            \(curve.ifMoving("\nanimation.setStartVelocity(\(curve.initialVelocity.snippet)f * (target - start))"))
            """
        }
    )

    /// Compose's `spring()`: Android's parameters with other defaults.
    static let compose = Convention(
        id: "compose",
        title: "spring(dampingRatio, stiffness)",
        source: "androidx/androidx, compose, animation-core; Material 3 motion tokens are pairs of these",
        parameters: [
            .number("dampingRatio", .dampingRatio, in: .directRatio, default: 1),
            .number("stiffness", .stiffness, in: .directStiffness, of: .directPhysics, default: 1500),
        ],
        snippet: { curve, _ in
            let (stiffness, ratio) = (curve.spring.unitMassStiffness, curve.spring.dampingRatio)
            let members = "dampingRatio = \(ratio.snippet)f, stiffness = \(stiffness.snippet)f"
            return curve.initialVelocity == 0
                ? "spring<Float>(\(members))"
                : """
                animatable.animateTo(target, spring(\(members)), \
                initialVelocity = \(curve.initialVelocity.snippet)f * (target - start))
                """
        }
    )
}
