/// What a platform takes its parameters for.
package struct ConventionReading: Sendable, Equatable {
    package let spring: Spring
    /// What it silently changed on the way.
    package let warnings: [ConventionWarning]
    /// The threshold of settling that is among the parameters of some conventions.
    package let epsilon: Double?

    init(_ spring: Spring, warnings: [ConventionWarning] = [], epsilon: Double? = nil) {
        self.spring = spring
        self.warnings = warnings
        self.epsilon = epsilon
    }
}

/// A spring in the words of a platform.
package struct ConventionWriting: Sendable {
    /// The parameters in the order of the convention.
    package let parameters: [(name: String, value: ConventionValue)]
    /// Code to paste; numbers to ten significant digits.
    package let snippet: String
    /// The curve that the platform draws from these parameters; nil when it is none of a spring.
    package let drawn: SpringCurve?
    /// Why it is another curve than the one asked for.
    package let warnings: [ConventionWarning]

    init(
        _ parameters: KeyValuePairs<String, Double>,
        flags: KeyValuePairs<String, Bool> = [:],
        snippet: String,
        drawn: SpringCurve?,
        warnings: [ConventionWarning] = []
    ) {
        self.parameters =
            parameters.map { (name: $0.key, value: .number($0.value)) }
            + flags.map { (name: $0.key, value: .flag($0.value)) }
        self.snippet = snippet
        self.drawn = drawn
        self.warnings = warnings
    }

    /// Whether the parameters say the very spring: nothing was capped, clamped, rounded or left away.
    ///
    /// A warning beside exact parameters is about how the platform draws them.
    package var isExact: Bool { !warnings.contains(where: \.changesSpring) }
}
