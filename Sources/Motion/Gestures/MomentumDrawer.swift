/// The drawer of the article (Momentum.swift): it follows the finger, and opens or closes with its momentum.
///
/// A property animator runs towards the other end, and the finger sets its fraction complete. A release either
/// continues the animation or reverses it. Only the sign of the velocity decides, not the position of the drawer.
package struct MomentumDrawer: Sendable, Equatable {
    /// The position of the closed drawer in points below the open one, in the range `translations`; down always closes.
    package let closedTranslationY: Double
    package let isOpen: Bool
    package let isReversed: Bool

    /// Allowed translations of a closed drawer in points; fractions of smaller ones may exceed a double.
    package static let translations = ParameterRange(1e-6...1e9)

    package init(closedTranslationY: Double, isOpen: Bool, isReversed: Bool) throws(MotionError) {
        self.closedTranslationY = try Self.translations.checked(closedTranslationY, "closedTranslationY")
        self.isOpen = isOpen
        self.isReversed = isReversed
    }

    /// The cap on the relative velocity in the repository; the article has none.
    package static let repositoryCap = 30.0
    package static let flick = Spring(ratio: 0.8, response: 0.3)

    /// Returns the fraction complete for a finger `translationY` points from its start, where it was `progress`.
    package func fraction(translationY: Double, progress: Double) -> Double {
        let fraction = translationY / closedTranslationY
        return (isOpen == isReversed ? -fraction : fraction) + progress
    }

    /// Releases the drawer at a velocity in points per second, with the fraction complete as it is after a reversal.
    ///
    /// Without a relative velocity the animation continues without a spring. Past the end (a fraction above 1) that velocity
    /// is negative, and the cap does not limit it, as in the original.
    package func release(
        velocityY: Double,
        fractionComplete: Double,
        cap: Double?
    ) -> (isReversed: Bool, relativeVelocity: Double?) {
        guard velocityY != 0 else { return (isReversed, nil) }
        let closes = velocityY > 0
        let reverses = isOpen ? !closes : closes
        let distance = (1 - fractionComplete) * closedTranslationY
        guard distance != 0 else { return (reverses, nil) }
        return (reverses, min(abs(velocityY) / distance, cap ?? .greatestFiniteMagnitude))
    }
}
