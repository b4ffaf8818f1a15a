import CMicroHTTPD
import Glibc

/// A point on the system's monotonic clock, in nanoseconds.
///
/// The coarse clock is read from a page that the kernel shares, in a few nanoseconds and with its tick (4 ms) as
/// resolution: enough for deadlines of seconds, and cheap enough to be read at the end of every request.
struct MonotonicTime: Comparable {
    let nanoseconds: UInt64

    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// Later than every other.
    static let never = MonotonicTime(nanoseconds: .max)

    static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    static func + (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime {
        let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(UInt64(clamping: rhs.wholeNanoseconds))
        return overflow ? .never : MonotonicTime(nanoseconds: sum)
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to what an `Int64` holds (292 years).
    var wholeNanoseconds: Int64 {
        Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// The duration in seconds, rounded up.
    var wholeSecondsRoundedUp: Int64 {
        components.seconds + (components.attoseconds > 0 ? 1 : 0)
    }
}
