extension Convention {
    /// anime.js: Apple's duration (in milliseconds) and bounce, drawn with rounded and capped physics.
    static let animeDurationBounce = Convention(
        id: "anime.durationBounce",
        title: "createSpring({ duration, bounce })",
        source: "juliangarnier/anime 4, easings/spring",
        parameters: [
            .number(
                "durationMs",
                .responseMs,
                in: ParameterRange(SpringRange.responses.lower * 1000...60_000),
                of: ParameterRange(above: 0, upTo: 60_000),
                unit: "milliseconds",
                default: 628
            ),
            .number("bounce", .bounce, in: .directBounce, of: .openBounce, default: 0.5),
        ],
        drawing: \.drawnByAnime,
        snippet: { curve, _ in
            let (duration, bounce) = ((curve.spring.response * 1000).snippet, curve.spring.bounce.snippet)
            return "createSpring({ duration: \(duration), bounce: \(bounce)\(curve.velocityMember) })"
        }
    )
}

extension SpringCurve {
    /// The curve that anime.js draws: at a mass of 1, k is at most 10 000 and c at most 300, both to three decimals.
    fileprivate var drawnByAnime: Convention.Drawing {
        let (stiffness, damping) = (spring.unitMassStiffness, spring.unitMassDamping)
        let drawnStiffness = min(10_000, max(0.001, (stiffness * 1000).rounded() / 1000))
        let drawnDamping = min(300, (damping * 1000).rounded() / 1000)
        guard drawnStiffness != stiffness || drawnDamping != damping else { return (self, []) }
        let caps = [ConventionWarning](of: [.stiffnessCapped: stiffness > 10_000, .dampingCapped: damping > 300])
        return (with(stiffness: drawnStiffness, damping: drawnDamping), caps.isEmpty ? [.rounded] : caps)
    }
}
