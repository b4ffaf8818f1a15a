import Glibc

/// A moment in civil time (UTC), for logs and time stamps; never for measuring, which is a monotonic clock's job.
package struct WallTime: Sendable, Equatable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int

    package init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    package static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    /// The moment as RFC 3339 writes it, such as `2026-11-21T03:04:05.678Z`.
    package var rfc3339: String {
        let (year, month, day) = date
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(timeOfDay)Z"
    }

    /// Such as `03:04:05.678`.
    package var timeOfDay: String {
        let rest = milliseconds - days * 86_400_000
        let seconds = rest / 1000
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))."
            + padded(rest % 1000, 3)
    }

    private var days: Int {
        milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds - 86_399_999) / 86_400_000
    }

    /// The civil date of a day number, for any year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms":
    /// years begin in March, so that the leap day is the last of its year).
    private var date: (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

/// `number` in at least `width` digits.
private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
