import Glibc

/// A point in time of the system's monotonic clock, for durations and deadlines.
///
/// The layout of `ContinuousClock.Instant` is known only at run time, so copying one would be a call of Swift's
/// runtime.
package struct Instant: Comparable, Sendable, Hashable {
    /// Nanoseconds since an unknown moment, which is the same for all instants of a process.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The present time.
    package static var now: Instant { reading(CLOCK_MONOTONIC) }

    /// The present time with a resolution of 4 ms, for deadlines of seconds; it is read in a few nanoseconds.
    package static var coarse: Instant { reading(CLOCK_MONOTONIC_COARSE) }

    /// The latest point in time.
    package static let never = Instant(nanoseconds: .max)

    private static func reading(_ clock: clockid_t) -> Instant {
        var time = timespec()
        clock_gettime(clock, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// The sum; the earliest or latest point in time if it is out of range.
    package static func + (lhs: Instant, rhs: Duration) -> Instant {
        let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.wholeNanoseconds)
        return Instant(nanoseconds: overflow ? (rhs < .zero ? .min : .max) : sum)
    }

    package static func += (lhs: inout Instant, rhs: Duration) { lhs = lhs + rhs }

    package static func - (lhs: Instant, rhs: Duration) -> Instant { lhs + (.zero - rhs) }

    /// The time from `rhs` to `lhs`.
    package static func - (lhs: Instant, rhs: Instant) -> Duration {
        .nanoseconds(lhs.nanoseconds) - .nanoseconds(rhs.nanoseconds)
    }
}
