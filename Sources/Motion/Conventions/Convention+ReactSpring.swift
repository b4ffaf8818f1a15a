#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Convention {
    /// react-spring's physical spring, whose velocity is per millisecond.
    static let reactSpringTensionFriction = Convention(
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
    static let reactSpringFrequency = Convention(
        id: "reactspring.frequency",
        title: "config: { frequency, damping, mass }",
        source: "pmndrs/react-spring, core/AnimationConfig.ts",
        parameters: [
            .number("frequency", in: .directPeriod, unit: "seconds"),
            .number("damping", in: .directRatio, default: 1),
            .number("mass", in: .directPhysics, default: 1),
        ],
        isInferred: true,
        reader: { values throws(MotionError) in
            let period = max(shortestPeriod, values["frequency"])
            return ConventionReading(
                spring: try Spring(dampingRatio: values["damping"], response: period, mass: values["mass"]),
                warnings: period == values["frequency"] ? [] : [.durationLimited]
            )
        },
        writer: { curve in
            let spring = curve.spring
            let period = max(shortestPeriod, spring.response)
            let values = [("frequency", period), ("damping", spring.dampingRatio), ("mass", spring.mass)]
            return (values, period == spring.response ? [] : [.durationLimited])
        },
        drawing: { $0.drawnByReactSpring(framesPerSecond: $1) },
        snippet: { $0.reactSpring($1.members) }
    )

    private static let shortestPeriod = 0.01
}

extension SpringCurve {
    /// The curve of steps of a millisecond, of which react-spring takes the next whole number in each frame.
    ///
    /// So it is fast: 17 steps in the 16.67 ms of a frame at 60 Hz (SpringValue.ts).
    fileprivate func drawnByReactSpring(framesPerSecond: Double) -> Convention.Drawing {
        guard let drawn = EulerSteps.drawn(self, step: 0.001) else { return (nil, [.stepsTooLong]) }
        let frame = 1000 / framesPerSecond
        let speed = frame.nearlyWhole(.up) / frame
        let spring = drawn.spring
        let faster = drawn.with(ratio: spring.dampingRatio, frequency: spring.naturalFrequency * speed)
        let curve = SpringCurve(faster.spring, initialVelocity: drawn.initialVelocity * speed)
        return (DrawnCurve(curve), [.drawnInSteps])
    }

    fileprivate func reactSpring(_ members: String) -> String {
        let velocity = ifMoving(", velocity: \((initialVelocity / 1000).snippet)")
        return "config: { \(members)\(velocity) }"
    }
}

/// A spring drawn in steps: semi-implicit Euler, which react-spring uses with steps of a millisecond (SpringValue.ts).
///
/// A step is linear. With the distance d to the target, the rate u per step, a = ω² h² and b = 2γh it is
///
///     u' = (1 - b) u - a d,   d' = d + u'
///
/// Therefore its positions are those of another spring at the times of the steps. The two exponentials of that spring
/// over a step are the eigenvalues, with product 1 - b and sum 2 - a - b. The error follows without a simulation.
enum EulerSteps {
    /// Returns the curve that steps of `step` seconds draw instead of `curve`; nil if they are too long for the spring.
    static func drawn(_ curve: SpringCurve, step: Double) -> SpringCurve? {
        let spring = curve.spring
        let a = spring.naturalFrequency * step * (spring.naturalFrequency * step)
        let b = 2 * spring.decayRate * step
        let (product, sum) = (1 - b, 2 - a - b)
        guard product > 0, sum > 0, let drawnSpring = self.spring(product, sum, step: step, mass: spring.mass) else {
            return nil
        }
        // The rate with which that spring reaches the position of the first step; the position is linear in it.
        let first = 1 - a - (1 - b) * curve.initialVelocity * step
        let resting = FreeMotion(drawnSpring, displacement: 1, rate: 0).displacement(at: step)
        let moving = FreeMotion(drawnSpring, displacement: 0, rate: 1).displacement(at: step)
        return SpringCurve(drawnSpring, initialVelocity: (resting - first) / moving)
    }

    /// Returns the spring whose exponentials over a step have this product and this sum.
    private static func spring(_ product: Double, _ sum: Double, step: Double, mass: Double) -> Spring? {
        let decay = -log(product) / (2 * step)
        // A cosine below critical damping, a hyperbolic cosine above.
        let cosine = sum / (2 * product.squareRoot())
        let turn = (cosine < 1 ? acos(cosine) : acosh(cosine)) / step
        let squared = decay * decay + (cosine < 1 ? turn * turn : -turn * turn)
        guard squared > 0, decay >= 0 else { return nil }
        let frequency = squared.squareRoot()
        return Spring(ratio: decay / frequency, frequency: frequency, mass: mass)
    }
}
