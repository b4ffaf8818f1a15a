import Motion

extension Convention {
    /// Svelte's spring: the shares of the distance and of the velocity that act in a 60th of a second.
    ///
    /// It takes a step in each frame, and scales the stiffness by its length, but not the damping. It starts at rest.
    package static let svelte = Convention(
        id: "svelte",
        title: "new Spring(value, { stiffness, damping })",
        source: "sveltejs/svelte 5, motion/spring.js",
        parameters: [
            .number("stiffness", in: stiffnesses, default: 0.15), .number("damping", in: dampings, default: 0.8),
        ],
        reader: { values throws(MotionError) in
            let steps = EulerSteps(a: values["stiffness"], b: values["damping"], step: 1.0 / 60)
            guard let spring = steps.spring(mass: 1) else {
                throw .noSpring(parameter: "stiffness", reason: "leads to no spring with this damping")
            }
            return ConventionReading(spring: spring)
        },
        writer: { spring in
            let steps = EulerSteps(spring, step: 1.0 / 60)
            let (stiffness, damping) = (stiffnesses.clamped(steps.a), dampings.clamped(steps.b))
            return (
                [("stiffness", stiffness), ("damping", damping)],
                .init(of: [.stiffnessCapped: stiffness != steps.a, .dampingCapped: damping != steps.b])
            )
        },
        drawing: { curve, framesPerSecond in
            let drawn = EulerSteps.svelte(curve.spring, framesPerSecond).drawn(mass: 1, initialVelocity: 0)
                .map { DrawnCurve($0) }
            return (
                drawn,
                .init(of: [
                    .velocityIgnored: curve.initialVelocity != 0, .dampedPerFrame: framesPerSecond != 60,
                    .drawnInFrames: drawn != nil, .stepsTooLong: drawn == nil,
                ])
            )
        },
        snippet: { _, values in "new Spring(0, { \(values.members) })" }
    )

    private static let stiffnesses = ParameterRange(1e-9...1)
    private static let dampings = ParameterRange(0...0.999_999)
}

extension EulerSteps {
    /// Svelte's steps, one in each frame, which counts as at most a 30th of a second.
    static func svelte(_ spring: Spring, _ framesPerSecond: Double) -> EulerSteps {
        let steps = EulerSteps(spring, step: 1.0 / 60)
        return EulerSteps(a: steps.a * min(2, 60 / framesPerSecond), b: steps.b, step: 1 / framesPerSecond)
    }
}
