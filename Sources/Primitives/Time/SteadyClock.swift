/// A clock of civil time that a change of the system clock does not affect.
package struct SteadyClock: Sendable {
    private let origin: WallTime
    private let start: Instant

    /// A clock that agrees with the wall clock now.
    package init(origin: WallTime = .now, start: Instant = .now) {
        self.origin = origin
        self.start = start
    }

    package var now: WallTime { time(at: .now) }

    /// Returns the civil time of a moment of this process.
    package func time(at moment: Instant) -> WallTime {
        WallTime(milliseconds: origin.milliseconds + Int((moment - start).wholeNanoseconds / 1_000_000))
    }

    /// Returns the moment of this process of a civil time; one after the start of the clock is the start.
    package func moment(of time: WallTime) -> Instant {
        start - max(.zero, .milliseconds(origin.milliseconds) - .milliseconds(time.milliseconds))
    }
}
