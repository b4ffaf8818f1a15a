/// The drawer of the article (Momentum.swift): it follows the finger, and opens or closes with its momentum.
///
/// A property animator runs towards the other end; the finger moves its fraction complete, and a release either lets
/// it go on or turns it round. Only the sign of the velocity decides, not how far the drawer has come.
package struct MomentumDrawer: Sendable, Equatable {
    /// Where the drawer stands when it is closed, in points below where it is open; one of `translations`.
    ///
    /// Down closes it and up opens it, here as in the original: a drawer that hangs from the top is another machine.
    package let closedTranslationY: Double
    /// Whether the animation began at the open end.
    package let isOpen: Bool
    /// Whether the animation runs back to where it began.
    package let isReversed: Bool

    /// Translations of a closed drawer, in points: a fraction of less has no use, and may have no double.
    package static let translations = ParameterRange(1e-6...1e9)

    /// - Throws: `MotionError.outOfRange` for a translation that is not one of those.
    package init(closedTranslationY: Double, isOpen: Bool, isReversed: Bool) throws(MotionError) {
        self.closedTranslationY = try Self.translations.checked(closedTranslationY, "closedTranslationY")
        self.isOpen = isOpen
        self.isReversed = isReversed
    }

    /// The cap on the relative velocity in the repository; the article has none.
    package static let repositoryCap = 30.0
    /// The spring after a flick.
    package static let flick = Spring(ratio: 0.8, response: 0.3)

    /// The fraction complete that the animation is set to while the finger is `translationY` points from where it
    /// touched, at which the animation had come to `progress`.
    package func fraction(translationY: Double, progress: Double) -> Double {
        var fraction = -translationY / closedTranslationY
        if isOpen { fraction = -fraction }
        if isReversed { fraction = -fraction }
        return fraction + progress
    }

    /// What becomes of the animation when the finger leaves.
    package enum Release: Sendable, Equatable {
        /// It goes on as it was, without a spring.
        case proceed(isReversed: Bool)
        /// It goes on with the spring of a flick that starts with this relative velocity.
        case spring(isReversed: Bool, relativeVelocity: Double)
    }

    /// Lets the drawer go at a velocity in points per second, with the animation's fraction complete as it is after a
    /// reversal.
    ///
    /// Past the end (a fraction above 1) the distance left, and with it the relative velocity, is negative, and the cap
    /// does not hold it: as in the original.
    package func release(velocityY: Double, fractionComplete: Double, cap: Double?) -> Release {
        guard velocityY != 0 else { return .proceed(isReversed: isReversed) }
        let closes = velocityY > 0
        let reverses = isOpen ? !closes : closes
        let distance = (1 - fractionComplete) * closedTranslationY
        guard distance != 0 else { return .proceed(isReversed: reverses) }
        let relative = abs(velocityY) / distance
        return .spring(isReversed: reverses, relativeVelocity: min(relative, cap ?? .greatestFiniteMagnitude))
    }
}
