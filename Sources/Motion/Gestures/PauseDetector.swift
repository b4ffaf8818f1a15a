/// Notices when a moving finger stops: the acceleration pause of the article, with which a card opens the app switcher.
///
/// The newest seven speeds are kept. A finger that is slow enough and has come far enough has paused when it has lost
/// nearly all of the oldest speed.
package struct PauseDetector: Sendable, Equatable {
    /// Where the article and its repository differ.
    package enum Mode: String, Sendable, CaseIterable {
        /// Tests every sample, and may fire on each.
        case article
        /// Tests from the eighth sample on, and fires once until the gesture ends; the window is emptied by firing, but
        /// not by the end of the gesture, so that old samples leak into the next one.
        case repo
    }

    /// A moment of the gesture.
    package struct Sample: Sendable, Equatable {
        /// Points per second.
        package let velocity: Double
        /// Points from where the gesture began; in the repository after rubberbanding.
        package let offset: Double

        package init(velocity: Double, offset: Double) {
            self.velocity = velocity
            self.offset = offset
        }
    }

    /// Samples in the window.
    package static let window = 7
    /// Points per second above which nothing pauses.
    package static let fastest = 100.0
    /// Points that have to be behind the finger.
    package static let nearest = 50.0
    /// The share of the oldest speed that has to be lost.
    package static let loss = 0.9

    private let mode: Mode
    private var velocities: [Double] = []
    private var hasFired = false

    package init(mode: Mode) {
        self.mode = mode
    }

    /// Takes a sample in; true when the finger pauses at it.
    package mutating func on(_ sample: Sample) -> Bool {
        switch mode {
        case .article:
            velocities.append(sample.velocity)
            if velocities.count > Self.window { velocities.removeFirst() }
            return velocities.count == Self.window && isPause(sample)
        case .repo:
            // Latched: the repository only stops looking, its window stays empty.
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

    /// The finger has left.
    package mutating func end() {
        hasFired = false
        if mode == .article { velocities.removeAll() }
    }

    /// Whether nearly all of the oldest speed is lost.
    ///
    /// An oldest speed of 0 makes a quotient without a limit, which fires, or none at all, which does not; a finger
    /// that turned round has lost more than all. Both as in the original.
    private func isPause(_ sample: Sample) -> Bool {
        guard abs(sample.velocity) <= Self.fastest, abs(sample.offset) >= Self.nearest else { return false }
        let oldest = velocities[0]
        return abs(sample.velocity - oldest) / abs(oldest) > Self.loss
    }
}
