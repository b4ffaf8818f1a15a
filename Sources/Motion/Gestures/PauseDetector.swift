/// Detects that a moving finger stops: the acceleration pause of the article, with which a card opens the app switcher.
///
/// It keeps the seven newest speeds. A finger pauses if it is slow enough, has travelled far enough, and has lost
/// nearly all of the oldest speed.
package struct PauseDetector: Sendable, Equatable {
    /// The variants of the article and of its repository.
    package enum Mode: String, Sendable, CaseIterable {
        /// Tests every sample, and may fire on each.
        case article
        /// Tests from the eighth sample on, and fires once until the gesture ends.
        ///
        /// Firing empties the window, but the end of the gesture does not. Old samples remain in the next gesture.
        case repo
    }

    /// A sample of the gesture.
    package struct Sample: Sendable, Equatable {
        /// Points per second.
        package let velocity: Double
        /// Distance from the start of the gesture in points; in the repository, after rubberbanding.
        package let offset: Double

        package init(velocity: Double, offset: Double) {
            self.velocity = velocity
            self.offset = offset
        }
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

    /// Processes a sample and returns whether the finger pauses at it.
    package mutating func on(_ sample: Sample) -> Bool {
        switch mode {
        case .article:
            velocities.append(sample.velocity)
            if velocities.count > Self.window { velocities.removeFirst() }
            return velocities.count == Self.window && isPause(sample)
        case .repo:
            // After firing, the repository only stops testing; its window stays empty.
            guard !hasFired else { return false }
            guard velocities.count == Self.window else {
                velocities.append(sample.velocity)
                return false
            }
            velocities.append(sample.velocity)
            velocities.removeFirst()
            guard isPause(sample) else { return false }
            hasFired = true
            velocities.removeAll()
            return true
        }
    }

    /// Ends the gesture.
    package mutating func end() {
        hasFired = false
        if mode == .article { velocities.removeAll() }
    }

    /// Returns whether nearly all of the oldest speed is lost.
    ///
    /// An oldest speed of 0 makes the quotient infinite, which fires, or NaN, which does not. A finger that changes
    /// direction has lost more than all of its speed. Both are as in the original.
    private func isPause(_ sample: Sample) -> Bool {
        guard abs(sample.velocity) <= Self.fastest, abs(sample.offset) >= Self.nearest else { return false }
        let oldest = velocities[0]
        return abs(sample.velocity - oldest) / abs(oldest) > Self.loss
    }
}
