import Motion

extension Convention {
    /// Remotion's spring, which starts at rest and needs damping; `durationInFrames` stretches its settling time.
    package static let remotion = Convention(
        id: "remotion",
        title: "spring({ frame, fps, config: { mass, stiffness, damping } })",
        source: "remotion-dev/remotion 4, core, spring/index.ts, spring-utils.ts, measure-spring.ts",
        parameters: .massStiffnessDamping(defaults: 1, 100, 10) + [
            .number("overshootClamping", .clampsOvershoot, in: ParameterRange(0...1), default: 0)
        ],
        drawing: { curve, _ in
            let (drawn, warnings) = SpringCurve(curve.spring).drawnIfDamped
            return (drawn, .init(of: [.velocityIgnored: curve.initialVelocity != 0]) + warnings)
        },
        snippet: { _, values in
            let clamping = values["overshootClamping"] == 1 ? ", overshootClamping: true" : ""
            return "spring({ frame, fps, config: { \(values.members)\(clamping) } })"
        }
    )
}
