import Glibc
import Primitives

/// A point in time of the system's monotonic clock, in nanoseconds.
///
/// The layout of `ContinuousClock.Instant` is known only at run time, so each copy of a value that contains one would be a
/// call of Swift's runtime. A command is copied several times on its way.
struct Instant: Comparable, Sendable {
    private let nanoseconds: Int64

    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// The sum; the latest point in time if it is out of range.
    static func + (lhs: Instant, rhs: Duration) -> Instant {
        let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.wholeNanoseconds)
        return Instant(nanoseconds: overflow ? (rhs < .zero ? .min : .max) : sum)
    }

    static func - (lhs: Instant, rhs: Instant) -> Duration {
        .nanoseconds(lhs.nanoseconds &- rhs.nanoseconds)
    }
}
