import Motion

extension Convention {
    /// The spring that stays within `epsilon` after a time, and overshoots by a share of the travel, from a start at rest.
    ///
    /// The overshoot e^(-πζ / √(1-ζ²)) determines the damping ratio; without it the spring is critically damped.
    package static let settling = Convention(
        id: "settling",
        title: "Settling time and overshoot",
        source: "settlingTime and overshoot of this service",
        parameters: [
            .number("settlingDuration", .duration, in: durations, of: .directSettling),
            .number("overshoot", .overshoot, in: overshoots, limit: overshoots, default: 0),
            .number("epsilon", .epsilon, in: ParameterRange(1e-9...0.5), default: 0.001),
        ],
        isInferred: true,
        phase: { ratio, epsilon in
            SpringCurve(Spring(ratio: ratio, frequency: 1, mass: 1)).settlingTime(epsilon: epsilon)
        },
        snippet: { _, values in
            let (time, overshoot) = (values["settlingDuration"].snippet, (values["overshoot"] * 100).snippet)
            return "settles within \(values["epsilon"].snippet) in \(time) s, overshoots by \(overshoot) %"
        }
    )

    /// From the settling time, to half of the travel, of the shortest accepted response.
    private static let durations = ParameterRange(2e-5...1e6)
    private static let overshoots = ParameterRange(0...0.999)
}
