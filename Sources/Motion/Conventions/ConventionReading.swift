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

/// Something that a platform silently does to a spring.
package enum ConventionWarning: String, Sendable, Equatable {
    case overdampedDrawnAsCritical
    case dampingCapped
    case stiffnessCapped
    case ratioLimited
    case durationLimited
    case bouncinessLimited
    case speedLimited
    case durationTruncated
    case rounded
    case velocityIgnored
    case drawnInSteps
    case stepsTooLong
    case drawnSlower

    /// Whether it makes another spring of the parameters, or only draws the spring they say with less care.
    package var changesSpring: Bool {
        switch self {
        case .drawnInSteps, .stepsTooLong, .drawnSlower: false
        default: true
        }
    }

    /// What it does, in a sentence.
    package var detail: String {
        switch self {
        case .overdampedDrawnAsCritical: "An overdamped spring is drawn as the critical one with the same stiffness."
        case .dampingCapped: "The damping is capped, which changes the ratio."
        case .stiffnessCapped: "The stiffness is capped, which makes the spring slower."
        case .ratioLimited: "The damping ratio is limited to the range of the platform."
        case .durationLimited: "The duration is limited to the range of the platform."
        case .bouncinessLimited: "The bounciness is limited to its range."
        case .speedLimited: "The speed is limited to its range."
        case .durationTruncated: "The duration is truncated to whole milliseconds."
        case .rounded: "Stiffness and damping are rounded to three decimals."
        case .velocityIgnored: "The initial velocity is ignored."
        case .drawnInSteps: "The spring is drawn in steps of a millisecond (semi-implicit Euler)."
        case .stepsTooLong: "The steps of a millisecond are too long for a spring this fast."
        case .drawnSlower:
            "The animation limits the stiffness to 45 000 at a mass of 1, so the spring is drawn slower."
        }
    }
}
