extension WallTime {
    /// Parses a moment as RFC 3339 writes it (section 5.6), such as `2019-02-18T18:20:08-05:00`, in whole seconds.
    ///
    /// A fraction of a second is cut off. Returns nil for other text, and for a year in UTC beyond 0 to 9999.
    package init?(rfc3339 text: String) {
        var reader = MomentReader(text)
        guard let year = reader.number(4, in: 0...9999), reader.skip("-"),
            let month = reader.number(2, in: 1...12), reader.skip("-"),
            let day = reader.number(2, in: 1...WallTime.days(ofMonth: month, year: year)),
            reader.skip("T") || reader.skip("t"),
            let hour = reader.number(2, in: 0...23), reader.skip(":"),
            let minute = reader.number(2, in: 0...59), reader.skip(":"),
            // 60 is a leap second; POSIX time counts it as the first second of the next minute.
            let second = reader.number(2, in: 0...60),
            !reader.skip(".") || reader.skipDigits(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let days = WallTime.days(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        guard WallTime.writable ~= seconds else { return nil }
        self.init(milliseconds: seconds * 1000)
    }

    /// The seconds from the start of the year 0 to the end of the year 9999.
    private static let writable =
        days(year: 0, month: 1, day: 1) * 86_400...days(year: 10_000, month: 1, day: 1) * 86_400 - 1

    /// Returns the days from 1970-01-01 to a date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    ///
    /// The year is at least 0.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Reads the parts of a moment from left to right.
private struct MomentReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Skips at least one digit; false if there is none.
    mutating func skipDigits() -> Bool {
        let start = position
        while digit(at: position) != nil { position += 1 }
        return position > start
    }

    /// Reads a number with exactly so many digits.
    mutating func number(_ count: Int, in range: ClosedRange<Int>) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit(at: position) else { return nil }
            number = number * 10 + digit
            position += 1
        }
        return range ~= number ? number : nil
    }

    /// Reads `Z` or the difference from UTC, in seconds.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2, in: 0...23), skip(":"), let minutes = number(2, in: 0...59)
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private func digit(at index: Int) -> Int? {
        guard index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] else { return nil }
        return Int(bytes[index] - UInt8(ascii: "0"))
    }
}
