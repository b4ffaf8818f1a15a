import Motion

extension Convention {
    static let android = Convention(
        id: "android",
        title: "SpringForce: stiffness and damping ratio",
        source: "androidx/androidx, dynamicanimation, SpringForce.java",
        parameters: [
            .number("stiffness", .stiffness, in: .directStiffness, of: .directPhysics),
            .number("dampingRatio", .dampingRatio, in: .directRatio),
        ],
        isInferred: true,
        snippet: { curve, values in
            """
            animation.spring = SpringForce(target).setStiffness(\(values["stiffness"].snippet)f)\
            .setDampingRatio(\(values["dampingRatio"].snippet)f)\
            \(curve.ifMoving("\nanimation.setStartVelocity(\(curve.initialVelocity.snippet)f * (target - start))"))
            """
        }
    )

    static let compose = Convention(
        id: "compose",
        title: "spring(dampingRatio, stiffness)",
        source: "androidx/androidx, compose, animation-core; Material 3 motion tokens are pairs of these",
        parameters: [
            .number("dampingRatio", .dampingRatio, in: .directRatio, default: 1),
            .number("stiffness", .stiffness, in: .directStiffness, of: .directPhysics, default: 1500),
        ],
        snippet: { curve, values in
            let members = values.map { "\($0.name) = \($0.value.snippet)f" }.joined(separator: ", ")
            return curve.initialVelocity == 0
                ? "spring<Float>(\(members))"
                : """
                animatable.animateTo(target, spring(\(members)), \
                initialVelocity = \(curve.initialVelocity.snippet)f * (target - start))
                """
        }
    )
}
