import Motion

extension Convention {
    /// Figma's custom spring; its player is not public, so the drawn curve is assumed to be the formula.
    package static let figma = Convention(
        id: "figma",
        title: "Custom spring: stiffness, damping, mass",
        source: "Figma, \"How we built spring animations\"; EasingFunctionSpring of its API",
        parameters: .massStiffnessDamping(defaults: 1, 100, 15),
        snippet: { curve, _ in
            let (stiffness, damping) = (curve.spring.stiffness.snippet, curve.spring.damping.snippet)
            return "Custom spring: stiffness \(stiffness), damping \(damping), mass \(curve.spring.mass.snippet)"
        }
    )
}
