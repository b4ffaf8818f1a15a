#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Convention {
    /// Reanimated's physical spring.
    ///
    /// Overdamped springs are drawn as critical.
    static let reanimatedPhysical = Convention(
        id: "reanimated.physical",
        title: "withSpring(value, { mass, stiffness, damping })",
        source: "software-mansion/react-native-reanimated, springConfigs.ts",
        parameters: .massStiffnessDamping(defaults: 4, 900, 120),
        drawing: \.drawnAtMostCritical,
        snippet: { "withSpring(1, { \($0.physicalMembers("velocity")) })" }
    )

    /// Reanimated's duration and ratio.
    ///
    /// The energy reaches its threshold after 1.5 times the duration.
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
        read: { values throws(MotionError) in
            let ratio = values["dampingRatio"]
            let frequency = energyPhase(ratio: ratio) / (1.5 * values["durationMs"] / 1000 * ratio)
            return ConventionReading(
                Spring(ratio: ratio, frequency: min(frequency, highestFrequency), mass: 4),
                warnings: frequency > highestFrequency ? [.stiffnessCapped] : []
            )
        },
        write: { curve in
            let spring = curve.spring
            let ratio = max(spring.dampingRatio, leastRatio)
            let frequency = min(spring.naturalFrequency, highestFrequency)
            let duration = energyPhase(ratio: ratio) / (1.5 * frequency * ratio) * 1000
            let limits: [ConventionWarning] =
                (ratio == spring.dampingRatio ? [] : [.ratioLimited])
                + (frequency == spring.naturalFrequency ? [] : [.stiffnessCapped])
            let held = limits.isEmpty ? curve : curve.with(ratio: ratio, frequency: frequency)
            let velocity = curve.ifMoving(", velocity: \(curve.initialVelocity.snippet)")
            return ConventionWriting(
                [("durationMs", duration), ("dampingRatio", ratio)],
                snippet: """
                    withSpring(1, { duration: \(duration.snippet), dampingRatio: \(ratio.snippet)\(velocity) })
                    """,
                drawn: held.atMostCritical,
                warnings: limits + held.atMostCriticalWarnings
            )
        }
    )

    /// The platform limits the stiffness to 8000 at a mass of 4.
    private static let highestFrequency = (8000.0 / 4).squareRoot()
    /// The smallest ratio that is read and written.
    ///
    /// Without damping the energy never reaches the threshold.
    private static let leastRatio = 1e-6
}

/// Returns the s of e^(-2s) ((1 + s)² + ζ² s²) = 6e-9, the energy of a critical curve with the rate ζ ω.
///
/// The platform solves this equation for every ratio, independently of the curve that it draws.
private func energyPhase(ratio: Double) -> Double {
    // The left side falls from 1. At ζ = 100 it is below the threshold from 20 on.
    bisect(0, 100) { s in
        log((1 + s) * (1 + s) + ratio * ratio * s * s) - 2 * s > log(6e-9)
    }
}
