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
    ///
    /// Years from 0 to 9999 have four digits; this clock knows no others.
    package var rfc3339: String {
        String(unsafeUninitializedCapacity: WallTime.length) { text in
            write(to: text)
            return WallTime.length
        }
    }

    /// The length of the moment as RFC 3339 writes it.
    static let length = 24

    /// Writes the moment as RFC 3339 has it, ``length`` bytes: every answer about a bar has one.
    func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        let (year, month, day) = date
        put(year, digits: 4, at: 0, followedBy: "-", in: text)
        put(month, digits: 2, at: 5, followedBy: "-", in: text)
        put(day, digits: 2, at: 8, followedBy: "T", in: text)
        putTimeOfDay(at: 11, in: text)
        text[WallTime.length - 1] = UInt8(ascii: "Z")
    }

    /// Such as `03:04:05.678`.
    package var timeOfDay: String {
        String(unsafeUninitializedCapacity: 13) { text in
            putTimeOfDay(at: 0, in: text)
            return 12
        }
    }

    /// Writes the time of day and one byte behind it.
    private func putTimeOfDay(at start: Int, in text: UnsafeMutableBufferPointer<UInt8>) {
        let rest = milliseconds - days * 86_400_000
        let seconds = rest / 1000
        put(seconds / 3600, digits: 2, at: start, followedBy: ":", in: text)
        put(seconds / 60 % 60, digits: 2, at: start + 3, followedBy: ":", in: text)
        put(seconds % 60, digits: 2, at: start + 6, followedBy: ".", in: text)
        put(rest % 1000, digits: 3, at: start + 9, followedBy: "Z", in: text)
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

/// Writes the last `digits` digits of a number from 0 on, and what comes behind them.
private func put(
    _ number: Int,
    digits: Int,
    at start: Int,
    followedBy separator: Unicode.Scalar,
    in text: UnsafeMutableBufferPointer<UInt8>
) {
    var rest = number
    for position in stride(from: start + digits - 1, through: start, by: -1) {
        text[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
    }
    text[start + digits] = UInt8(ascii: separator)
}
