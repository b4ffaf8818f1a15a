extension Convention {
    /// Remotion's spring, which starts at rest and needs damping.
    ///
    /// `durationInFrames` stretches it from the time of `PlatformSettling`; `overshootClamping` ends it at its target.
    static let remotion = Convention(
        id: "remotion",
        title: "spring({ frame, fps, config: { mass, stiffness, damping } })",
        source: "remotion-dev/remotion 4, core, spring-utils.ts, measure-spring.ts",
        parameters: .massStiffnessDamping(defaults: 1, 100, 10),
        drawing: { curve, _ in
            let (drawn, warnings) = SpringCurve(curve.spring).drawnIfDamped
            return (drawn, .init(of: [.velocityIgnored: curve.initialVelocity != 0]) + warnings)
        },
        snippet: { "spring({ frame, fps, config: { \($1.members) } })" }
    )
}
