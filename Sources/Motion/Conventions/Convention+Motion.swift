extension Convention {
    static let motionPhysical = Convention(
        id: "motion.physical",
        title: "{ type: \"spring\", stiffness, damping, mass }",
        source: "motiondivision/motion, motion-dom 13.1.1, generators/spring.ts",
        parameters: .massStiffnessDamping(defaults: 1, 100, 10),
        drawing: { curve, _ in
            if let drawn = curve.cutOffByMotion { (drawn, [.cutOff]) } else { (DrawnCurve(curve), []) }
        },
        snippet: { "{ type: \"spring\", \($1.members)\($0.velocityMember) }" }
    )

    /// Motion's duration with a bounce: the time in which the envelope falls to a thousandth, unlike SwiftUI's.
    static let motionDurationBounce = Convention(
        id: "motion.durationBounce",
        title: "{ type: \"spring\", duration, bounce }",
        source: "motiondivision/motion, motion-dom 13.1.1, generators/spring.ts (agrees with the closed form to 4e-16)",
        parameters: [
            .number("durationMs", in: ParameterRange(above: 0, upTo: 1e9), unit: "milliseconds", default: 800),
            .number("bounce", in: ParameterRange(-1...1), default: 0.3),
        ],
        reader: { values throws(MotionError) in
            let ratio = ratios.clamped(1 - values["bounce"])
            let duration = durations.clamped(values["durationMs"])
            let frequency = motionPhase(ratio: ratio) / duration * 1000
            return ConventionReading(
                spring: Spring(ratio: ratio, frequency: frequency, mass: 1),
                warnings: .init(of: [
                    .ratioLimited: ratio != 1 - values["bounce"], .durationLimited: duration != values["durationMs"],
                ])
            )
        },
        writer: { curve in
            let ratio = ratios.clamped(curve.spring.dampingRatio)
            let wanted = motionPhase(ratio: ratio) / curve.spring.naturalFrequency * 1000
            let duration = durations.clamped(wanted)
            return (
                [("durationMs", duration), ("bounce", 1 - ratio)],
                .init(of: [.ratioLimited: ratio != curve.spring.dampingRatio, .durationLimited: duration != wanted])
            )
        },
        drawing: { curve, _ in curve.drawnWithoutVelocity },
        snippet: { _, values in
            let (duration, bounce) = (values["durationMs"] / 1000, values["bounce"])
            return "{ type: \"spring\", duration: \(duration.snippet), bounce: \(bounce.snippet) }"
        }
    )

    /// Motion's visual duration, 1.2 of which are the response, with a bounce, without which 13.1.1 ignores it.
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
        reader: { values throws(MotionError) in
            let ratio = ratios.clamped(1 - values["bounce"])
            return ConventionReading(
                spring: try Spring(dampingRatio: ratio, response: 1.2 * values["visualDuration"]),
                warnings: ratio == 1 - values["bounce"] ? [] : [.ratioLimited]
            )
        },
        writer: { curve in
            let ratio = ratios.clamped(curve.spring.dampingRatio)
            let values = [("visualDuration", curve.spring.motionVisualDuration), ("bounce", 1 - ratio)]
            return (values, ratio == curve.spring.dampingRatio ? [] : [.ratioLimited])
        },
        drawing: { curve, _ in curve.drawnWithoutVelocity },
        snippet: { "{ type: \"spring\", \($1.members) }" }
    )

    /// The damping ratios that Motion draws for a bounce.
    static let ratios = ParameterRange(0.05...1)
    /// Motion clamps durations to this range, in milliseconds.
    private static let durations = ParameterRange(10...10_000)
}

extension SpringCurve {
    /// The curve of a library that ignores the velocity of a spring that is defined by time.
    var drawnWithoutVelocity: Convention.Drawing {
        (DrawnCurve(SpringCurve(spring)), initialVelocity == 0 ? [] : [.velocityIgnored])
    }
}

/// Returns ω t of Motion's duration for one of its ratios; with a threshold of 0.001, each of them has a duration.
private func motionPhase(ratio: Double) -> Double {
    guard let phase = SettlingPhase.envelope(ratio: ratio, threshold: 0.001) else {
        preconditionFailure("a ratio from 0.05 to 1 has a duration")
    }
    return phase
}

extension Spring {
    package var motionVisualDuration: Double { response / 1.2 }

    /// Motion's duration in milliseconds; nil for a ratio outside of `Convention.ratios`.
    package var motionDurationMs: Double? {
        guard Convention.ratios.contains(dampingRatio) else { return nil }
        return motionPhase(ratio: dampingRatio) / naturalFrequency * 1000
    }
}
