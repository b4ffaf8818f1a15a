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
        snippet: { curve in
            let velocity = curve.ifMoving(", velocity: \(curve.initialVelocity.snippet)")
            return """
                createSpring({ duration: \((curve.spring.response * 1000).snippet), \
                bounce: \(curve.spring.bounce.snippet)\(velocity) })
                """
        }
    )
}

extension SpringCurve {
    /// The curve that anime.js draws: at a mass of 1, k is at most 10 000 and c at most 300, both to three decimals.
    fileprivate var drawnByAnime: Convention.Drawing {
        let (stiffness, damping) = (spring.unitMassStiffness, spring.unitMassDamping)
        let drawnStiffness = min(10_000, max(0.001, (stiffness * 1000).rounded() / 1000))
        let drawnDamping = min(300, (damping * 1000).rounded() / 1000)
        var warnings: [ConventionWarning] = []
        if stiffness > 10_000 { warnings.append(.stiffnessCapped) }
        if damping > 300 { warnings.append(.dampingCapped) }
        guard drawnStiffness != stiffness || drawnDamping != damping else { return (self, []) }
        if warnings.isEmpty { warnings = [.rounded] }
        return (with(stiffness: drawnStiffness, damping: drawnDamping), warnings)
    }
}
