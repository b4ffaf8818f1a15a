import CMicroHTTPD
import Glibc
import Primitives

/// A point in time of the system's coarse monotonic clock, in nanoseconds.
///
/// The clock has a resolution of 4 ms and is read in a few nanoseconds. That is precise enough for deadlines of seconds,
/// and cheap enough for the end of every request.
struct MonotonicTime: Comparable {
    let nanoseconds: UInt64

    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// The latest point in time.
    static let never = MonotonicTime(nanoseconds: .max)

    static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    static func + (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime {
        let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(UInt64(clamping: rhs.wholeNanoseconds))
        return overflow ? .never : MonotonicTime(nanoseconds: sum)
    }
}

extension Duration {
    /// The duration in seconds, rounded up.
    var wholeSecondsRoundedUp: Int64 {
        components.seconds + (components.attoseconds > 0 ? 1 : 0)
    }
}
