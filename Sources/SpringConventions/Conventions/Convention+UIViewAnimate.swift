import Motion

extension Convention {
    /// UIKit's spring with a duration and a damping ratio, the form most quoted.
    ///
    /// The system finds the stiffness at a mass of 1, with the relation of SwiftUI's settling duration:
    /// framer/SpringsExample has 54.83363359078326 for 3 s and 0.25, on which Core Animation draws the same curve.
    package static let uikitDurationRatio = Convention(
        id: "uikit.durationRatio",
        title: "UIView.animate(withDuration:delay:usingSpringWithDamping:initialSpringVelocity:)",
        source: "framer/SpringsExample, readme.md; guillianbalisi/ios-spring-animations, Math.swift",
        parameters: [
            .number("duration", .duration, in: .directResponse, of: .directPeriod, limit: ParameterRange(0.01...10)),
            .number("dampingRatio", .dampingRatio, in: ratios, of: .openRatio, limit: ParameterRange(0.0015...1)),
        ],
        isInferred: true,
        phase: { ratio, epsilon in SettlingPhase.envelope(ratio: ratio, threshold: epsilon) },
        drawing: { curve, _ in
            guard curve.initialVelocity != 0 else { return curve.drawnAtMostCritical }
            return (curve.solvedForDuration.map { DrawnCurve($0) }, [.solvedWithVelocity])
        },
        snippet: { curve, values in
            """
            UIView.animate(
                withDuration: \(values["duration"].snippet), delay: 0,
                usingSpringWithDamping: \(values["dampingRatio"].snippet), \
            initialSpringVelocity: \(curve.initialVelocity.snippet)
            ) { view.center = target }
            """
        }
    )

    /// Smaller ratios never reach the threshold.
    private static let ratios = ParameterRange(0.0015...100)
}

extension SpringCurve {
    /// The curve with the frequency that UIKit finds for the duration when it knows the initial velocity; nil without one.
    fileprivate var solvedForDuration: SpringCurve? {
        let ratio = spring.dampingRatio
        guard let resting = SettlingPhase.envelope(ratio: ratio, threshold: 0.001) else { return nil }
        let time = resting / spring.naturalFrequency
        let phase = SettlingPhase.envelope(ratio: ratio, threshold: 0.001, travels: initialVelocity * time)
        return phase.map { with(ratio: ratio, frequency: $0 / time) }
    }
}
