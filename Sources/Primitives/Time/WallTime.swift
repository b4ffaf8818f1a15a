import Glibc

/// A moment in civil time (UTC), for logs and time stamps.
package struct WallTime: Sendable, Equatable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int

    package init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// The current time of the system's clock.
    package static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    /// The moment as RFC 3339 writes it, such as `2026-11-21T03:04:05.678Z`; years are from 0 to 9999.
    package var rfc3339: String {
        String(unsafeUninitializedCapacity: WallTime.length) { write(to: $0) }
    }

    /// The moment as RFC 3339 writes it, without milliseconds, such as `2026-11-21T03:04:05Z`.
    package var rfc3339Seconds: String {
        String(unsafeUninitializedCapacity: WallTime.secondsLength) { writeSeconds(to: $0) }
    }

    /// The length of `rfc3339`.
    package static let length = 24

    /// The length of `rfc3339Seconds`.
    package static let secondsLength = 20

    /// Writes `rfc3339` into a buffer of at least ``length`` bytes; returns that number.
    package func write(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        _ = writeSeconds(to: text)
        let rest = millisecondsOfDay % 1000
        text[19] = UInt8(ascii: ".")
        text.put(rest / 10, at: 20)
        text[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        text[23] = UInt8(ascii: "Z")
        return WallTime.length
    }

    /// Writes `rfc3339Seconds` into a buffer of at least ``secondsLength`` bytes, without allocating; returns that number.
    package func writeSeconds(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let (year, month, day) = date
        let seconds = millisecondsOfDay / 1000
        text.put(year / 100, at: 0)
        text.put(year % 100, at: 2, followedBy: "-")
        text.put(month, at: 5, followedBy: "-")
        text.put(day, at: 8, followedBy: "T")
        text.put(seconds / 3600, at: 11, followedBy: ":")
        text.put(seconds / 60 % 60, at: 14, followedBy: ":")
        text.put(seconds % 60, at: 17, followedBy: "Z")
        return WallTime.secondsLength
    }

    /// Such as `03:04:05.678`.
    package var timeOfDay: String { String(rfc3339.dropFirst(11).dropLast()) }

    private var millisecondsOfDay: Int { milliseconds - days * 86_400_000 }

    private var days: Int {
        milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds - 86_399_999) / 86_400_000
    }

    /// The civil date of `days` (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March).
    ///
    /// gmtime_r(3) takes glibc's lock of the time zone, and every answer has a date.
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

extension UnsafeMutableBufferPointer<UInt8> {
    /// Writes a number from 0 to 99 as two digits, and a separator after them.
    fileprivate func put(_ number: Int, at start: Int, followedBy separator: Unicode.Scalar? = nil) {
        let number = UInt8(truncatingIfNeeded: number)
        self[start] = UInt8(ascii: "0") + number / 10
        self[start + 1] = UInt8(ascii: "0") + number % 10
        if let separator { self[start + 2] = UInt8(ascii: separator) }
    }
}
