extension Convention {
    /// Android's `SpringForce`, whose mass is 1.
    static let android = Convention(
        id: "android",
        title: "SpringForce: stiffness and damping ratio",
        source: "androidx/androidx, dynamicanimation, SpringForce.java",
        parameters: [
            .number("stiffness", in: .directStiffness, of: .directPhysics),
            .number("dampingRatio", in: .directRatio),
        ],
        isInferred: true,
        read: { values throws(MotionError) in try values.stiffnessRatio("dampingRatio") },
        write: { curve in
            let (stiffness, ratio) = (curve.spring.unitMassStiffness, curve.spring.dampingRatio)
            let velocity =
                curve.initialVelocity == 0
                ? "" : "\nanimation.setStartVelocity(\(curve.initialVelocity.snippet)f * (target - start))"
            return ConventionWriting(
                ["stiffness": stiffness, "dampingRatio": ratio],
                snippet: """
                    animation.spring = SpringForce(target).setStiffness(\(stiffness.snippet)f)\
                    .setDampingRatio(\(ratio.snippet)f)\(velocity)
                    """,
                drawn: curve
            )
        }
    )

    /// Compose's `spring()`: Android's parameters with other defaults.
    static let compose = Convention(
        id: "compose",
        title: "spring(dampingRatio, stiffness)",
        source: "androidx/androidx, compose, animation-core; Material 3 motion tokens are pairs of these",
        parameters: [
            .number("dampingRatio", in: .directRatio, default: 1),
            .number("stiffness", in: .directStiffness, of: .directPhysics, default: 1500),
        ],
        read: { values throws(MotionError) in try values.stiffnessRatio("dampingRatio") },
        write: { curve in
            let (stiffness, ratio) = (curve.spring.unitMassStiffness, curve.spring.dampingRatio)
            let members = "dampingRatio = \(ratio.snippet)f, stiffness = \(stiffness.snippet)f"
            return ConventionWriting(
                ["dampingRatio": ratio, "stiffness": stiffness],
                snippet: curve.initialVelocity == 0
                    ? "spring<Float>(\(members))"
                    : """
                    animatable.animateTo(target, spring(\(members)), \
                    initialVelocity = \(curve.initialVelocity.snippet)f * (target - start))
                    """,
                drawn: curve
            )
        }
    )
}

extension ConventionValues {
    /// Returns the spring with the stiffness and the ratio parameter of this name, at a mass of 1 or the given one.
    func stiffnessRatio(_ ratio: String, mass: Double = 1) throws(MotionError) -> ConventionReading {
        ConventionReading(
            try Spring(mass: mass, stiffness: self["stiffness"], dampingRatio: try Spring.DampingRatio(self[ratio]))
        )
    }
}
