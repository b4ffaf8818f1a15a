extension Convention {
    /// Figma's custom spring.
    ///
    /// Its player is not public, so the drawn curve is assumed to be the formula.
    static let figma = Convention(
        id: "figma",
        title: "Custom spring: stiffness, damping, mass",
        source: "Figma, \"How we built spring animations\"; EasingFunctionSpring of its API",
        parameters: .massStiffnessDamping(defaults: 1, 100, 15),
        snippet: { curve, _ in
            let spring = curve.spring
            let numbers = (spring.stiffness.snippet, spring.damping.snippet, spring.mass.snippet)
            return "Custom spring: stiffness \(numbers.0), damping \(numbers.1), mass \(numbers.2)"
        }
    )
}
