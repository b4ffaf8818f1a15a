/// The variant of a gesture: that of the article, or that of its repository.
package enum GestureVariant: String, Sendable, CaseIterable {
    case article, repo
}

/// Detects that a moving finger stops: the acceleration pause of the article, with which a card opens the app switcher.
///
/// A finger pauses if it is slow enough, has travelled far enough, and has lost nearly all of the oldest of seven speeds.
/// The article's tests every sample, and may fire on each. The repository's tests from the eighth on, and fires once.
package struct PauseDetector: Sendable, Equatable {
    package static let window = 7
    /// The highest speed of a pause in points per second.
    package static let fastest = 100.0
    /// The least distance of a pause in points.
    package static let nearest = 50.0
    /// The share of the oldest speed that must be lost.
    package static let loss = 0.9

    private let mode: GestureVariant
    private var velocities: [Double] = []
    private var hasFired = false

    package init(mode: GestureVariant) {
        self.mode = mode
    }

    /// Processes a sample of the gesture and returns whether the finger pauses at it.
    ///
    /// `velocity` is in points per second. `offset` is in points from the start, in the repository after rubberbanding.
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
