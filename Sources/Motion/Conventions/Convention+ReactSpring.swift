extension Convention {
    /// react-spring's physical spring.
    ///
    /// Its velocity is per millisecond.
    static let reactSpringTensionFriction = Convention(
        id: "reactspring.tensionFriction",
        title: "config: { tension, friction, mass }",
        source: "pmndrs/react-spring, core/AnimationConfig.ts, SpringValue.ts",
        parameters: [
            .number("tension", in: .directPhysics),
            .number("friction", in: .directDamping),
            .number("mass", in: .directPhysics, default: 1),
        ],
        read: { values throws(MotionError) in
            ConventionReading(
                try Spring(mass: values["mass"], stiffness: values["tension"], damping: values["friction"])
            )
        },
        write: { curve in
            let spring = curve.spring
            return ConventionWriting(
                ["tension": spring.stiffness, "friction": spring.damping, "mass": spring.mass],
                snippet: curve.reactSpring(
                    "tension: \(spring.stiffness.snippet), friction: \(spring.damping.snippet)"
                ),
                drawn: curve.drawnByReactSpring,
                warnings: [curve.reactSpringWarning]
            )
        }
    )

    /// react-spring's `frequency`, which is a period in seconds although documented as bounces per second, and
    /// `damping`, which is the ratio.
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
        read: { values throws(MotionError) in
            let period = max(shortestPeriod, values["frequency"])
            return ConventionReading(
                Spring(
                    dampingRatio: try Spring.DampingRatio(values["damping"]),
                    response: try Spring.Response(period),
                    mass: try Spring.Mass(values["mass"])
                ),
                warnings: period == values["frequency"] ? [] : [.durationLimited]
            )
        },
        write: { curve in
            let spring = curve.spring
            let period = max(shortestPeriod, spring.response)
            let isExact = period == spring.response
            let meant = isExact ? curve : curve.with(ratio: spring.dampingRatio, frequency: 2 * .pi / period)
            return ConventionWriting(
                ["frequency": period, "damping": spring.dampingRatio, "mass": spring.mass],
                snippet: curve.reactSpring(
                    "frequency: \(period.snippet), damping: \(spring.dampingRatio.snippet)"
                ),
                drawn: meant.drawnByReactSpring,
                warnings: (isExact ? [] : [.durationLimited]) + [meant.reactSpringWarning]
            )
        }
    )

    /// In seconds.
    private static let shortestPeriod = 0.01
}

extension SpringCurve {
    /// What react-spring draws of the curve, in steps of one millisecond.
    fileprivate var drawnByReactSpring: SpringCurve? { EulerSteps.drawn(self, step: 0.001) }

    fileprivate var reactSpringWarning: ConventionWarning {
        drawnByReactSpring == nil ? .stepsTooLong : .drawnInSteps
    }

    fileprivate func reactSpring(_ members: String) -> String {
        let velocity = initialVelocity == 0 ? "" : ", velocity: \((initialVelocity / 1000).snippet)"
        return "config: { \(members), mass: \(spring.mass.snippet)\(velocity) }"
    }
}
