extension Convention {
    /// SwiftUI's spring of a settling duration.
    ///
    /// It does not invert SwiftUI's own `settlingDuration` property, and past critical the ratio is held at 1.
    static let swiftUISettlingDuration = Convention(
        id: "swiftui.settlingDuration",
        title: "Spring(settlingDuration:dampingRatio:epsilon:)",
        source: "OpenSwiftUIProject/OpenSwiftUI, Spring+SettlingDurationDampingRatio.swift",
        parameters: [
            .number("settlingDuration", in: ParameterRange(above: 0, upTo: 1e6), unit: "seconds"),
            .number("dampingRatio", in: ParameterRange(1e-9...100), of: ParameterRange(above: 0, upTo: 100)),
            .number("epsilon", in: ParameterRange(1e-12...0.5), default: 0.001),
        ],
        isInferred: true,
        read: { values throws(MotionError) in
            let ratio = min(values["dampingRatio"], 1)
            let duration = durations.held(values["settlingDuration"])
            let epsilon = values["epsilon"]
            guard let phase = EnvelopeDuration.phase(ratio: ratio, threshold: epsilon) else {
                throw .noSpring(
                    parameter: "dampingRatio",
                    reason: "a ratio this small has no settling duration for an epsilon of \(epsilon.plain)"
                )
            }
            return ConventionReading(
                Spring(
                    dampingRatio: try Spring.DampingRatio(ratio),
                    response: try Spring.Response(2 * .pi * duration / phase)
                ),
                warnings: (ratio < values["dampingRatio"] ? [.ratioLimited] : [])
                    + (duration != values["settlingDuration"] ? [.durationLimited] : []),
                epsilon: epsilon
            )
        },
        write: { curve in
            let ratio = min(max(curve.spring.dampingRatio, leastRatio), 1)
            var warnings: [ConventionWarning] = ratio == curve.spring.dampingRatio ? [] : [.ratioLimited]
            let frequency = curve.spring.naturalFrequency
            // The threshold is ours to choose: where the usual one makes a duration that is not allowed, another does.
            var epsilon = 0.001
            var duration = EnvelopeDuration.phase(ratio: ratio, threshold: epsilon).map { $0 / frequency } ?? .infinity
            if !durations.contains(duration) {
                duration = durations.held(duration)
                if let other = EnvelopeDuration.threshold(ratio: ratio, phase: frequency * duration),
                    epsilons.contains(other)
                {
                    epsilon = other
                } else {
                    warnings.append(.durationLimited)
                }
            }
            let written = warnings.isEmpty ? curve : curve.drawnSettling(duration, ratio, epsilon)
            let (drawn, limits) = written.drawnBySwiftUI
            return ConventionWriting(
                ["settlingDuration": duration, "dampingRatio": ratio, "epsilon": epsilon],
                snippet: curve.swiftUI(
                    """
                    settlingDuration: \(duration.snippet), dampingRatio: \(ratio.snippet), epsilon: \(epsilon.snippet)
                    """
                ),
                drawn: drawn,
                warnings: warnings + limits
            )
        }
    )

    /// Durations that SwiftUI lets through, in seconds.
    private static let durations = ParameterRange(0.01...10)
    private static let epsilons = ParameterRange(1e-12...0.5)
    /// The smallest ratio we write: it has a settling duration for the usual threshold.
    private static let leastRatio = 0.0015
}

extension ParameterRange {
    /// The allowed number nearest to `value`, for a closed range.
    func held(_ value: Double) -> Double {
        min(max(value, lower), upper)
    }
}

extension SpringCurve {
    /// What SwiftUI draws for a settling duration that had to be changed.
    fileprivate func drawnSettling(_ duration: Double, _ ratio: Double, _ epsilon: Double) -> SpringCurve {
        guard let phase = EnvelopeDuration.phase(ratio: ratio, threshold: epsilon) else { return self }
        return with(ratio: ratio, frequency: phase / duration)
    }

    /// The curve of the same mass and start with another ratio and frequency, both finite and the latter positive.
    func with(ratio: Double, frequency: Double) -> SpringCurve {
        SpringCurve(Spring(ratio: ratio, frequency: frequency, mass: spring.mass), initialVelocity: initialVelocity)
    }
}
