extension Convention {
    /// The tension and friction of Origami, Rebound and React Native, which are not react-spring's.
    static let origami = Convention(
        id: "origami",
        title: "Origami, Rebound and React Native: tension and friction",
        source: "facebook/rebound-js, OrigamiValueConverter.js; facebook/react-native, SpringConfig.js",
        parameters: [
            .number(
                "tension",
                in: ParameterRange(leastTension + 1e-8...1e9),
                of: ParameterRange(above: leastTension, upTo: 1e9),
                default: 40
            ),
            .number("friction", in: ParameterRange(-1.0 / 3...1e9), default: 7),
        ],
        read: { values throws(MotionError) in
            // The least friction is -1/3, a third of a rounding below zero damping.
            let damping = max(0, Origami.damping(friction: values["friction"]))
            return ConventionReading(
                try Spring(mass: 1, stiffness: Origami.stiffness(tension: values["tension"]), damping: damping)
            )
        },
        write: { curve in
            let (tension, friction) = (curve.spring.origamiTension, curve.spring.origamiFriction)
            return ConventionWriting(
                ["tension": tension, "friction": friction],
                snippet: curve.reactNative("tension: \(tension.snippet), friction: \(friction.snippet)"),
                drawn: curve.atMostCritical,
                warnings: curve.atMostCriticalWarnings
            )
        }
    )

    /// The tension of no stiffness at all.
    private static let leastTension = 30 - 194 / 3.62
}

/// The linear fit between the numbers of Quartz Composer's "bouncy" patch and those of physics.
enum Origami {
    static func stiffness(tension: Double) -> Double { 3.62 * (tension - 30) + 194 }
    static func damping(friction: Double) -> Double { 3 * (friction - 8) + 25 }
}

extension Spring {
    /// Stiffness at a mass of 1.
    package var unitMassStiffness: Double { mass == 1 ? stiffness : stiffness / mass }
    /// Damping coefficient at a mass of 1.
    package var unitMassDamping: Double { mass == 1 ? damping : damping / mass }
    /// Origami's tension.
    package var origamiTension: Double { (unitMassStiffness - 194) / 3.62 + 30 }
    /// Origami's friction.
    package var origamiFriction: Double { (unitMassDamping - 25) / 3 + 8 }
}
