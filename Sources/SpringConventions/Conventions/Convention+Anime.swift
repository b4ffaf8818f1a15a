import Motion

extension Convention {
    package static let animePhysical = Convention(
        id: "anime.physical",
        title: "spring({ mass, stiffness, damping, velocity })",
        source: "juliangarnier/anime 4.3.6, easings/spring",
        parameters: [
            .number("mass", .mass, in: .directPhysics, limit: ParameterRange(1...10_000), default: 1),
            .number("stiffness", .stiffness, in: .directStiffness, limit: ParameterRange(0...10_000), default: 100),
            .number("damping", .damping, in: .directDamping, limit: ParameterRange(0...10_000), default: 10),
        ],
        isUnitMass: true,
        drawing: { curve, _ in
            (DrawnCurve(curve.limitedByAnime), .init(of: [.velocityLimited: curve != curve.limitedByAnime]))
        },
        snippet: { "spring({ \($1.members)\($0.velocityMember) })" }
    )

    /// anime.js: Apple's duration (in milliseconds) and bounce, drawn from rest with rounded and capped physics.
    package static let animeDurationBounce = Convention(
        id: "anime.durationBounce",
        title: "spring({ duration, bounce })",
        source: "juliangarnier/anime 4.3.6, easings/spring",
        parameters: [
            .number("durationMs", .response, in: times, of: ParameterRange(above: 0, upTo: 60_000), default: 628),
            .number("bounce", .bounce, in: .directBounce, of: .openBounce, default: 0.5),
        ],
        drawing: { curve, _ in curve.drawnByAnime },
        snippet: { "spring({ duration: \($1["durationMs"].snippet), bounce: \($1["bounce"].snippet) })" }
    )

    private static let times = ParameterRange(SpringRange.responses.lower * 1000...60_000)
}

extension SpringCurve {
    /// The curve with the velocity that anime.js limits to 10 000 travels per second.
    var limitedByAnime: SpringCurve {
        SpringCurve(spring, initialVelocity: ParameterRange(-10_000...10_000).clamped(initialVelocity))
    }

    /// The curve that anime.js draws: without velocity, with a duration of 10 ms to 10 s, and a stiffness of at most 10 000
    /// and a damping of at most 300 at a mass of 1, both to three decimals.
    fileprivate var drawnByAnime: Convention.Drawing {
        let response = min(10, max(0.01, spring.response))
        let period = response == spring.response ? spring : Spring(ratio: spring.dampingRatio, response: response)
        let (stiffness, damping) = (period.unitMassStiffness, period.unitMassDamping)
        let drawnStiffness = min(10_000, (stiffness * 1000).rounded() / 1000)
        let drawnDamping = min(300, (damping * 1000).rounded() / 1000)
        var changes = [ConventionWarning](of: [
            .velocityIgnored: initialVelocity != 0, .durationLimited: response != spring.response,
            .stiffnessCapped: stiffness > 10_000, .dampingCapped: damping > 300,
        ])
        let resting = SpringCurve(period)
        guard drawnStiffness != stiffness || drawnDamping != damping else { return (DrawnCurve(resting), changes) }
        if changes.isEmpty { changes = [.rounded] }
        return (DrawnCurve(resting.with(stiffness: drawnStiffness, damping: drawnDamping)), changes)
    }
}
