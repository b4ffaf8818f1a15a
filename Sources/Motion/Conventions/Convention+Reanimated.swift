extension Convention {
    static let reanimatedPhysical = Convention(
        id: "reanimated.physical",
        title: "withSpring(value, { mass, stiffness, damping })",
        source: "software-mansion/react-native-reanimated, springConfigs.ts",
        parameters: .massStiffnessDamping(defaults: 4, 900, 120),
        drawing: \.drawnAtMostCritical,
        snippet: { "withSpring(1, { \($1.members)\($0.velocityMember) })" }
    )

    /// Reanimated's duration and ratio: the energy reaches its threshold after 1.5 times the duration.
    static let reanimatedDurationRatio = Convention(
        id: "reanimated.durationRatio",
        title: "withSpring(value, { duration, dampingRatio })",
        source: "software-mansion/react-native-reanimated, springUtils.ts",
        parameters: [
            .number("durationMs", in: ParameterRange(above: 0, upTo: 1e9), unit: "milliseconds", default: 550),
            .number(
                "dampingRatio",
                in: ParameterRange(leastRatio...100),
                of: ParameterRange(above: 0, upTo: 100),
                default: 1
            ),
        ],
        isInferred: true,
        reader: { values throws(MotionError) in
            let ratio = values["dampingRatio"]
            let frequency = SettlingPhase.energy(ratio: ratio) / (1.5 * values["durationMs"] / 1000 * ratio)
            return ConventionReading(
                spring: Spring(ratio: ratio, frequency: min(frequency, highestFrequency), mass: 4),
                warnings: frequency > highestFrequency ? [.stiffnessCapped] : []
            )
        },
        writer: { curve in
            let ratio = max(curve.spring.dampingRatio, leastRatio)
            let wanted = curve.spring.naturalFrequency
            let frequency = min(wanted, highestFrequency)
            let duration = SettlingPhase.energy(ratio: ratio) / (1.5 * frequency * ratio) * 1000
            return (
                [("durationMs", duration), ("dampingRatio", ratio)],
                .init(of: [.ratioLimited: ratio != curve.spring.dampingRatio, .stiffnessCapped: frequency != wanted])
            )
        },
        drawing: \.drawnAtMostCritical,
        snippet: { curve, values in
            let (duration, ratio) = (values["durationMs"].snippet, values["dampingRatio"].snippet)
            return "withSpring(1, { duration: \(duration), dampingRatio: \(ratio)\(curve.velocityMember) })"
        }
    )

    /// The platform limits the stiffness to 8000 at a mass of 4.
    private static let highestFrequency = (8000.0 / 4).squareRoot()
    /// The smallest ratio that is read and written: without damping the energy never reaches the threshold.
    private static let leastRatio = 1e-6
}
