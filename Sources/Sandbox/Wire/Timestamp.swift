import Primitives

/// Unix times as the upstream writes them.
enum Timestamp {
    /// Such as `2024-07-02T16:19:28Z`.
    static func text(_ unixTime: Int) -> String {
        let days = Int.clamping((Double(unixTime) / 86_400).rounded(.down))
        let seconds = unixTime - days * 86_400
        let (year, month, day) = date(daysSince1970: days)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(twoDigits).joined(separator: ":")
        return "\(year)-\(twoDigits(month))-\(twoDigits(day))T\(clock)Z"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (`civil_from_days`): years begin in March, so that
    /// the leap day is the last one.
    ///
    /// For days from 1970 on.
    private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
