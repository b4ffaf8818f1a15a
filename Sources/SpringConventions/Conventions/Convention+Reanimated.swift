import CMathematics
import Motion

extension Convention {
    package static let reanimatedPhysical = Convention(
        id: "reanimated.physical",
        title: "withSpring(value, { mass, stiffness, damping })",
        source: "software-mansion/react-native-reanimated, springConfigs.ts",
        parameters: .massStiffnessDamping(defaults: 4, 900, 120),
        drawing: { curve, _ in curve.drawnIfDamped },
        snippet: { "withSpring(1, { \($1.members)\($0.velocityMember) })" }
    )

    /// Reanimated's duration and ratio: the energy reaches its threshold after 1.5 times the duration.
    package static let reanimatedDurationRatio = Convention(
        id: "reanimated.durationRatio",
        title: "withSpring(value, { duration, dampingRatio })",
        source: "software-mansion/react-native-reanimated, springUtils.ts",
        parameters: [
            .number("durationMs", .duration, in: .directMilliseconds, default: 550),
            .number("dampingRatio", .dampingRatio, in: ratios, of: .openRatio, limit: ratios, default: 1),
        ],
        isInferred: true,
        mass: 4,
        stiffest: 8000 / 4,
        phase: { ratio, _ in SettlingPhase.energy(ratio: ratio) / (1.5 * ratio) },
        drawing: { curve, _ in
            guard curve.initialVelocity != 0 else { return curve.drawnAtMostCritical }
            let (drawn, warnings) = curve.solvedWithVelocity.drawnAtMostCritical
            return (drawn, [.solvedWithVelocity] + warnings)
        },
        snippet: { curve, values in
            let (duration, ratio) = (values["durationMs"].snippet, values["dampingRatio"].snippet)
            return "withSpring(1, { duration: \(duration), dampingRatio: \(ratio)\(curve.velocityMember) })"
        }
    )

    /// Without damping the energy never reaches the threshold.
    private static let ratios = ParameterRange(1e-6...100)
}

extension SpringCurve {
    /// The curve with the stiffness that Reanimated finds for the duration when it knows the initial velocity.
    ///
    /// As it does, this bisects the stiffness until the energy of a critical curve with the rate ζ ω, at 1.5 times the
    /// duration, is 6e-9 of the energy at the start (springUtils.ts, `calculateNewStiffnessToMatchDuration`).
    fileprivate var solvedWithVelocity: SpringCurve {
        let (ratio, mass, threshold) = (spring.dampingRatio, 4.0, 6e-9)
        let end = SettlingPhase.energy(ratio: ratio) / spring.decayRate
        func excess(_ stiffness: Double) -> Double {
            let rate = (stiffness / mass).squareRoot() * ratio
            let slope = initialVelocity - rate
            let distance = (slope * end - 1) * exp(-rate * end)
            let velocity = slope * exp(-rate * end) - rate * distance
            let start = stiffness + mass * initialVelocity * initialVelocity
            return (stiffness * distance * distance + mass * velocity * velocity) / start - threshold
        }
        var (low, high) = (Double.ulpOfOne, 8000.0)
        let direction = excess(high) >= excess(low) ? 1.0 : -1
        var stiffness = (low + high) / 2
        for _ in 0..<100 where abs(excess(stiffness)) > threshold * 1e-3 {
            if excess(stiffness) * direction < 0 { low = stiffness } else { high = stiffness }
            stiffness = (low + high) / 2
        }
        return with(ratio: ratio, frequency: (stiffness / mass).squareRoot())
    }
}
