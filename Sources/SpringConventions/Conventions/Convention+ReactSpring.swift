import Motion

extension Convention {
    /// react-spring's physical spring, whose velocity is per millisecond.
    package static let reactSpringTensionFriction = Convention(
        id: "reactspring.tensionFriction",
        title: "config: { tension, friction, mass }",
        source: "pmndrs/react-spring, core/AnimationConfig.ts, SpringValue.ts",
        parameters: [
            .number("tension", .stiffness, in: .directPhysics),
            .number("friction", .damping, in: .directDamping),
            .number("mass", .mass, in: .directPhysics, default: 1),
        ],
        drawing: { $0.drawnByReactSpring(framesPerSecond: $1) },
        snippet: { $0.reactSpring($1.members) }
    )

    /// react-spring's `frequency`, which is a period in seconds although documented as a frequency, and damping ratio.
    package static let reactSpringFrequency = Convention(
        id: "reactspring.frequency",
        title: "config: { frequency, damping, mass }",
        source: "pmndrs/react-spring, core/AnimationConfig.ts",
        parameters: [
            .number("frequency", .response, in: .directPeriod, limit: ParameterRange(0.01...60)),
            .number("damping", .dampingRatio, in: .directRatio, default: 1),
            .number("mass", .mass, in: .directPhysics, default: 1),
        ],
        isInferred: true,
        drawing: { $0.drawnByReactSpring(framesPerSecond: $1) },
        snippet: { $0.reactSpring($1.members) }
    )
}

extension EulerSteps {
    /// react-spring's steps of a millisecond.
    static func reactSpring(_ spring: Spring) -> EulerSteps {
        let turn = spring.naturalFrequency * 0.001
        return EulerSteps(a: turn * turn, b: 2 * spring.decayRate * 0.001, step: 0.001)
    }

    /// Returns the number of react-spring's steps in a frame.
    static func reactSpringSteps(_ framesPerSecond: Double) -> Double { (1000 / framesPerSecond).nearlyWhole(.up) }
}

extension SpringCurve {
    /// The curve of steps of a millisecond, with the next whole number of them in each frame: 17 at 60 Hz (SpringValue.ts).
    fileprivate func drawnByReactSpring(framesPerSecond: Double) -> Convention.Drawing {
        let steps = EulerSteps.reactSpring(spring)
        guard let drawn = steps.drawn(mass: spring.mass, initialVelocity: initialVelocity) else {
            return (nil, [.stepsTooLong])
        }
        let speed = EulerSteps.reactSpringSteps(framesPerSecond) * framesPerSecond / 1000
        let frequency = drawn.spring.naturalFrequency * speed
        let spring = Spring(ratio: drawn.spring.dampingRatio, frequency: frequency, mass: spring.mass)
        return (DrawnCurve(SpringCurve(spring, initialVelocity: drawn.initialVelocity * speed)), [.drawnInSteps])
    }

    fileprivate func reactSpring(_ members: String) -> String {
        let velocity = ifMoving(", velocity: \((initialVelocity / 1000).snippet)")
        return "config: { \(members)\(velocity) }"
    }
}
