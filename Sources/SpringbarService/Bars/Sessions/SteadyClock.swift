package import Primitives

/// Civil time that does not jump: what the wall clock said at the start, and the time since then by a clock that only
/// runs forward.
///
/// Setting the machine's clock neither ends all bars nor keeps them for ever.
package struct SteadyClock: Sendable {
    private let origin: WallTime
    private let start: ContinuousClock.Instant

    /// A clock that is right now.
    package init(origin: WallTime = .now, start: ContinuousClock.Instant = .now) {
        self.origin = origin
        self.start = start
    }

    package var now: WallTime {
        let passed = start.duration(to: .now).attoseconds / 1_000_000_000_000_000
        return WallTime(milliseconds: origin.milliseconds + Int(passed))
    }
}
