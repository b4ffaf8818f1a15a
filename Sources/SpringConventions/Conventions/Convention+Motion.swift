package import Motion

extension Convention {
    package static let motionPhysical = Convention(
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
    package static let motionDurationBounce = Convention(
        id: "motion.durationBounce",
        title: "{ type: \"spring\", duration, bounce }",
        source: "motiondivision/motion, motion-dom 13.1.1, generators/spring.ts (agrees with the closed form to 4e-16)",
        parameters: [
            .number("durationMs", .duration, in: .directMilliseconds, limit: milliseconds, default: 800),
            .number("bounce", .bounce, in: ParameterRange(-1...1), limit: bounces, default: 0.3),
        ],
        phase: { ratio, epsilon in SettlingPhase.envelope(ratio: ratio, threshold: epsilon) },
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
            .number("visualDuration", .visualDuration, in: seconds, of: ParameterRange(above: 0, upTo: 50)),
            .number("bounce", .bounce, in: ParameterRange(-1...1), limit: bounces, default: 0.3),
        ],
        isInferred: true,
        drawing: { curve, _ in curve.drawnWithoutVelocity },
        snippet: { "{ type: \"spring\", \($1.members) }" }
    )

    /// The bounces that Motion draws: damping ratios from 0.05 to 1.
    private static let bounces = ParameterRange(0...0.95)
    private static let milliseconds = ParameterRange(10...10_000)
    private static let seconds = ParameterRange(SpringRange.responses.lower / 1.2...50)
}

extension SpringCurve {
    /// The curve of a library that ignores the velocity of a spring that is defined by time.
    var drawnWithoutVelocity: Convention.Drawing {
        (DrawnCurve(SpringCurve(spring)), initialVelocity == 0 ? [] : [.velocityIgnored])
    }
}

extension Spring {
    package var motionVisualDuration: Double { response / 1.2 }

    /// Motion's duration in milliseconds; nil for a ratio out of those that Motion draws.
    package var motionDurationMs: Double? {
        guard 0.05...1 ~= dampingRatio else { return nil }
        return SettlingPhase.envelope(ratio: dampingRatio, threshold: 0.001).map { $0 / naturalFrequency * 1000 }
    }
}
