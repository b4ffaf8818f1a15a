/// Detects that a moving finger stops: the acceleration pause of the article, with which a card opens the app switcher.
///
/// It keeps the seven newest speeds. A finger pauses if it is slow enough, has travelled far enough, and has lost
/// nearly all of the oldest speed.
package struct PauseDetector: Sendable, Equatable {
    /// The variants of the article and of its repository.
    package enum Mode: String, Sendable, CaseIterable {
        /// Tests every sample, and may fire on each.
        case article
        /// Tests from the eighth sample on, and fires once.
        case repo
    }

    /// The number of samples in the window.
    package static let window = 7
    /// The highest speed of a pause in points per second.
    package static let fastest = 100.0
    /// The least distance of a pause in points.
    package static let nearest = 50.0
    /// The share of the oldest speed that must be lost.
    package static let loss = 0.9

    private let mode: Mode
    private var velocities: [Double] = []
    private var hasFired = false

    package init(mode: Mode) {
        self.mode = mode
    }

    /// Processes a sample of the gesture and returns whether the finger pauses at it.
    ///
    /// `velocity` is in points per second. `offset` is the distance from the start of the gesture in points; in the
    /// repository, after rubberbanding.
    package mutating func on(velocity: Double, offset: Double) -> Bool {
        guard !hasFired || mode == .article else { return false }
        let isTested = velocities.count >= (mode == .article ? Self.window - 1 : Self.window)
        velocities.append(velocity)
        if velocities.count > Self.window { velocities.removeFirst() }
        guard isTested, abs(velocity) <= Self.fastest, abs(offset) >= Self.nearest else { return false }
        // An oldest speed of 0 makes the quotient infinite, which fires, or NaN, which does not. A finger that changes
        // direction has lost more than all of its speed. Both are as in the original.
        guard abs(velocity - velocities[0]) / abs(velocities[0]) > Self.loss else { return false }
        hasFired = true
        return true
    }
}
