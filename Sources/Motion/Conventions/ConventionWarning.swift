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
        case .overdampedDrawnAsCritical: "An overdamped spring is drawn as the critical one of the same stiffness."
        case .dampingCapped: "The damping is capped, which changes the ratio."
        case .stiffnessCapped: "The stiffness is capped, which slows the spring down."
        case .ratioLimited: "The damping ratio is held to what the platform allows."
        case .durationLimited: "The duration is held to what the platform allows."
        case .bouncinessLimited: "The bounciness is held to its range."
        case .speedLimited: "The speed is held to its range."
        case .durationTruncated: "The duration is cut to whole milliseconds."
        case .rounded: "Stiffness and damping are rounded to three decimals."
        case .velocityIgnored: "The initial velocity is ignored."
        case .drawnInSteps: "It is drawn in steps of a millisecond (semi-implicit Euler) and not by the closed form."
        case .stepsTooLong: "Its steps of a millisecond are too long to follow a spring this fast."
        case .drawnSlower:
            "The animation draws no spring stiffer than 45 000 for a mass of 1: this one is slower there."
        }
    }
}
