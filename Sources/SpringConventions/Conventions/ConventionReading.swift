package import Motion

package struct ConventionReading: Sendable, Equatable {
    package var spring: Spring
    package var warnings: [ConventionWarning] = []
    /// The settling threshold, if it is a parameter of the convention.
    package var epsilon: Double?
    /// Whether the platform draws the target in place of what is beyond it.
    package var clampsOvershoot = false
}

/// A curve as the parameters of a platform.
package struct ConventionWriting: Sendable {
    package let parameters: Convention.Values
    /// Code to paste, with numbers to ten significant digits.
    package let snippet: String
    /// The curve of the formula with these parameters; nil if they are out of range.
    package let meant: SpringCurve?
    /// The curve that the platform draws from these parameters; nil if it is unknown or none.
    package let drawn: DrawnCurve?
    /// The changes that the parameters need, and those that the platform makes when it draws them.
    let changes: [ConventionWarning]
    package let drawingChanges: [ConventionWarning]

    package var warnings: [ConventionWarning] { changes + drawingChanges }
    /// Whether the platform draws the requested spring, apart from steps and a limit of the speed.
    package var isExact: Bool { !warnings.contains(where: \.changesSpring) }
}

extension Convention.Values {
    package subscript(name: String) -> Double {
        guard let value = first(where: { $0.name == name })?.value else {
            preconditionFailure("\(name) is not a parameter")
        }
        return value
    }

    var members: String {
        filter { !Conventions.flagNames.contains($0.name) }.map { "\($0.name): \($0.value.snippet)" }
            .joined(separator: ", ")
    }
}

/// A silent change that a platform makes to a spring; the name of the case is its code in answers.
package enum ConventionWarning: String, Sendable, Equatable {
    case overdampedDrawnAsCritical = "An overdamped spring is drawn as the critical one with the same stiffness."
    case dampingCapped = "The damping is capped, which changes the ratio."
    case stiffnessCapped = "The stiffness is capped, which makes the spring slower."
    case massLimited = "The mass is limited to the range of the platform."
    case ratioLimited = "The damping ratio is limited to the range of the platform."
    case durationLimited = "The duration is limited to the range of the platform."
    case bouncinessLimited = "The bounciness is limited to its range."
    case speedLimited = "The speed is limited to its range."
    case durationTruncated = "The duration is truncated to whole milliseconds."
    case rounded = "Stiffness and damping are rounded to three decimals."
    case velocityIgnored = "The initial velocity is ignored."
    case velocityLimited = "The initial velocity is limited to the range of the platform."
    case solvedWithVelocity = "The stiffness for the duration is solved with the initial velocity: another spring."
    case undampedRefused = "The platform refuses a spring without damping."
    case overshootClamped = "The target is drawn in place of what is beyond it."
    case cutOff = "The hyperbolic functions are capped, so a slow overdamped spring jumps to its target."
    case drawnInSteps =
        "The spring is drawn in steps of a millisecond (semi-implicit Euler), a whole number of them in each frame."
    case drawnInFrames = "The spring is drawn in one step (semi-implicit Euler) in each frame."
    case dampedPerFrame = "The damping of a 60th of a second acts in every frame, so another rate draws another spring."
    case stepsTooLong = "The steps are too long for a spring this fast."
    case drawnSlower = "The animation limits the stiffness to 45 000 at a mass of 1, so the spring is drawn slower."

    package var code: String { "\(self)" }
    package var detail: String { rawValue }

    /// Whether the curve is that of another spring; if not, only the steps or the speed of its drawing differ.
    package var changesSpring: Bool { ![.drawnInSteps, .drawnInFrames, .stepsTooLong, .drawnSlower].contains(self) }
}

extension [ConventionWarning] {
    init(of conditions: KeyValuePairs<ConventionWarning, Bool>) {
        self = conditions.filter(\.value).map(\.key)
    }
}
