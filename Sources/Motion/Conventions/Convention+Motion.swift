#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Convention {
    /// Motion's physical spring.
    static let motionPhysical = Convention(
        id: "motion.physical",
        title: "{ type: \"spring\", stiffness, damping, mass }",
        source: "motiondivision/motion, motion-dom 13.1.1, generators/spring.ts",
        parameters: .massStiffnessDamping(defaults: 1, 100, 10),
        snippet: { "{ type: \"spring\", \($0.physicalMembers("velocity")) }" }
    )

    /// Motion's duration with a bounce: the time in which the envelope falls to a thousandth.
    ///
    /// SwiftUI's duration differs.
    static let motionDurationBounce = Convention(
        id: "motion.durationBounce",
        title: "{ type: \"spring\", duration, bounce }",
        source: "motiondivision/motion, motion-dom 13.1.1, generators/spring.ts (agrees with the closed form to 4e-16)",
        parameters: [
            .number("durationMs", in: ParameterRange(above: 0, upTo: 1e9), unit: "milliseconds", default: 800),
            .number("bounce", in: ParameterRange(-1...1), default: 0.3),
        ],
        read: { values throws(MotionError) in
            let ratio = ratios.clamped(1 - values["bounce"])
            let duration = durations.clamped(values["durationMs"])
            let frequency = motionPhase(ratio: ratio) / duration * 1000
            return ConventionReading(
                Spring(ratio: ratio, frequency: frequency, mass: 1),
                warnings: (ratio == 1 - values["bounce"] ? [] : [.ratioLimited])
                    + (duration == values["durationMs"] ? [] : [.durationLimited])
            )
        },
        write: { curve in
            let spring = curve.spring
            let ratio = ratios.clamped(spring.dampingRatio)
            let wanted = motionPhase(ratio: ratio) / spring.naturalFrequency * 1000
            let duration = durations.clamped(wanted)
            let warnings: [ConventionWarning] =
                (ratio == spring.dampingRatio ? [] : [.ratioLimited]) + (duration == wanted ? [] : [.durationLimited])
                + (curve.initialVelocity == 0 ? [] : [.velocityIgnored])
            let frequency =
                warnings.contains(.durationLimited)
                ? motionPhase(ratio: ratio) / duration * 1000 : spring.naturalFrequency
            return ConventionWriting(
                [("durationMs", duration), ("bounce", 1 - ratio)],
                snippet: """
                    { type: "spring", duration: \((duration / 1000).snippet), bounce: \((1 - ratio).snippet) }
                    """,
                drawn: warnings.isEmpty
                    ? curve : SpringCurve(Spring(ratio: ratio, frequency: frequency, mass: spring.mass)),
                warnings: warnings
            )
        }
    )

    /// Motion's visual duration with a bounce: the response is 1.2 times as long.
    ///
    /// Version 13.1.1 ignores a visual duration without a bounce, so both are always written.
    static let motionVisualDurationBounce = Convention(
        id: "motion.visualDurationBounce",
        aliases: ["motion"],
        title: "{ type: \"spring\", visualDuration, bounce }",
        source: "motiondivision/motion, motion-dom 13.1.1, generators/spring.ts",
        parameters: [
            .number(
                "visualDuration",
                in: ParameterRange(SpringRange.responses.lower / 1.2...50),
                of: ParameterRange(above: 0, upTo: 50),
                unit: "seconds"
            ),
            .number("bounce", in: ParameterRange(-1...1), default: 0.3),
        ],
        isInferred: true,
        read: { values throws(MotionError) in
            let ratio = ratios.clamped(1 - values["bounce"])
            return ConventionReading(
                Spring(
                    dampingRatio: try Spring.DampingRatio(ratio),
                    response: try Spring.Response(1.2 * values["visualDuration"])
                ),
                warnings: ratio == 1 - values["bounce"] ? [] : [.ratioLimited]
            )
        },
        write: { curve in
            let spring = curve.spring
            let ratio = ratios.clamped(spring.dampingRatio)
            let isExact = ratio == spring.dampingRatio
            let velocity = curve.ifMoving(", velocity: \(curve.initialVelocity.snippet)")
            return ConventionWriting(
                [("visualDuration", spring.motionVisualDuration), ("bounce", 1 - ratio)],
                snippet: """
                    { type: "spring", visualDuration: \(spring.motionVisualDuration.snippet), \
                    bounce: \((1 - ratio).snippet)\(velocity) }
                    """,
                drawn: isExact ? curve : curve.with(ratio: ratio, frequency: spring.naturalFrequency),
                warnings: isExact ? [] : [.ratioLimited]
            )
        }
    )

    /// The damping ratios that Motion draws for a bounce.
    static let ratios = ParameterRange(0.05...1)
    /// Motion clamps durations to this range, in milliseconds.
    private static let durations = ParameterRange(10...10_000)
}

/// Returns ω t of Motion's duration for one of its ratios.
///
/// With a threshold of 0.001, every one of them has a duration.
private func motionPhase(ratio: Double) -> Double {
    guard let phase = EnvelopeDuration.phase(ratio: ratio, threshold: 0.001) else {
        preconditionFailure("a ratio from 0.05 to 1 has a duration")
    }
    return phase
}

extension Spring {
    /// Motion's visual duration in seconds.
    package var motionVisualDuration: Double { response / 1.2 }

    /// Motion's duration in milliseconds; nil for a ratio outside of `Convention.ratios`.
    package var motionDurationMs: Double? {
        guard Convention.ratios.contains(dampingRatio) else { return nil }
        return motionPhase(ratio: dampingRatio) / naturalFrequency * 1000
    }
}

/// A duration that determines a frequency: the time after which an envelope reaches a threshold.
///
/// SwiftUI's settling duration and Motion's duration with a bounce are the same function. SwiftUI's threshold is a
/// parameter, Motion's is 0.001. Below critical damping, the phase ω t solves e^(-ζωt) √(1-ζ²) / ζ = ε. That is not the
/// envelope of a start at rest, and it grows to infinity towards critical damping. At critical damping it is the X of
/// (1 + X) e^(-X) = ε. Both are reproduced exactly. For bounces near 0, the same duration therefore means a much
/// stiffer spring.
enum EnvelopeDuration {
    /// Returns ω t for a ratio above 0 and at most 1; nil if the start is already within the threshold.
    static func phase(ratio: Double, threshold: Double) -> Double? {
        guard ratio < 1 else { return criticalPhase(threshold: threshold) }
        let amplitude = ratio / ((1 - ratio) * (1 + ratio)).squareRoot() / threshold
        guard amplitude > 1 else { return nil }
        return log(amplitude) / ratio
    }

    /// Returns the threshold for a phase of ω t; nil if it is too small for a double.
    static func threshold(ratio: Double, phase: Double) -> Double? {
        let threshold =
            ratio < 1
            ? ratio / ((1 - ratio) * (1 + ratio)).squareRoot() * exp(-ratio * phase) : (1 + phase) * exp(-phase)
        return threshold.isNormal && threshold < 1 ? threshold : nil
    }

    /// Returns X of (1 + X) e^(-X) = ε, for 0 < ε < 1.
    private static func criticalPhase(threshold: Double) -> Double {
        bisect(0, 1000) { log1p($0) - $0 > log(threshold) }
    }
}
