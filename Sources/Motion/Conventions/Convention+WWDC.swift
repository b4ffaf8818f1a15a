extension Convention {
    /// Damping ratio and response, as the WWDC 2018 talk and the article name them: what designers mean.
    ///
    /// The snippet calls the initialiser that the article adds to UIKit; `uikit` writes UIKit's own.
    static let wwdc = Convention(
        id: "wwdc",
        title: "WWDC 2018: damping ratio and response",
        source: "\"Building Fluid Interfaces\"; nathangitter/fluid-interfaces, Spring.swift",
        parameters: [
            .number("dampingRatio", aliases: ["damping"], in: .directRatio),
            .number("response", in: .directResponse, of: .directPeriod, unit: "seconds"),
        ],
        isInferred: true,
        read: { values throws(MotionError) in
            ConventionReading(
                Spring(
                    dampingRatio: try Spring.DampingRatio(values["dampingRatio"]),
                    response: try Spring.Response(values["response"])
                )
            )
        },
        write: { curve in
            let spring = curve.spring
            let velocity =
                curve.initialVelocity == 0
                ? "" : ", initialVelocity: CGVector(dx: \(curve.initialVelocity.snippet), dy: 0)"
            return ConventionWriting(
                ["dampingRatio": spring.dampingRatio, "response": spring.response],
                snippet: """
                    UISpringTimingParameters(damping: \(spring.dampingRatio.snippet), \
                    response: \(spring.response.snippet)\(velocity))
                    """,
                drawn: curve
            )
        }
    )
}

extension ParameterRange {
    /// Damping ratios of direct input.
    static let directRatio = ParameterRange(0...100)
    /// Responses of direct input in seconds: from the shortest that is accepted to a minute.
    static let directResponse = ParameterRange(SpringRange.responses.lower...60)
    /// Responses of direct input that have a meaning.
    static let directPeriod = ParameterRange(above: 0, upTo: 60)
    /// Masses and stiffnesses of direct input, where both are given: as wide as squares and quotients stay doubles of
    /// full precision.
    static let directPhysics = ParameterRange(1e-9...1e12)
    /// Stiffnesses of direct input at a mass of 1.
    static let directStiffness = ParameterRange(1e-8...1e10)
    /// Bounces of direct input, for Apple's meaning of the word: towards -1 the spring creeps for longer and longer.
    static let directBounce = ParameterRange(-0.999_999_999...1)
    /// Bounces of direct input that have a meaning.
    static let openBounce = ParameterRange(above: -1, upTo: 1)
    /// Damping coefficients of direct input.
    static let directDamping = ParameterRange(0...1e12)
}
