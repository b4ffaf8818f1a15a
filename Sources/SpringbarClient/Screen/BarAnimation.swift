import BarLayout
public import Motion

/// The animation of a change of the bar, the same as that of its scroll view.
public enum BarAnimation: Sendable, Equatable {
    /// AirBar's own animation, of a duration in seconds.
    case standard(duration: Double)
    /// A spring with its initial velocity, in travels per second.
    case spring(Spring, relativeVelocity: Double)

    /// The animation of a command; nil if it is not animated.
    init?(_ command: BarCommand) {
        guard command.animated else { return nil }
        self = .standard(duration: command.duration)
        if let snap = command.spring,
            let spring = try? Spring(dampingRatio: snap.dampingRatio, response: snap.response)
        {
            self = .spring(spring, relativeVelocity: snap.relativeVelocity)
        }
    }

    static let correction = BarAnimation.spring(BarCorrection.spring, relativeVelocity: 0)
}
