import Foundation

/// The time between attempts: it doubles, half of it is random, and the service may require more.
enum BackOff {
    /// Seconds before the first retry, and the longest time between two.
    private static let (first, longest) = (0.25, 15.0)
    /// The longest time that the service may require, as in the JavaScript client.
    private static let longestRetryAfter = 2e6

    /// Returns the seconds before the attempt after `attempt` failures in a row; `random` is from 0 to 1.
    static func pause(attempt: Int, retryAfter: Double?, random: Double) -> Double {
        let pause = min(first * Double(1 << min(attempt, 16)), longest) * (0.5 + random / 2)
        guard let retryAfter else { return pause }
        return max(pause, min(retryAfter + random * first, longestRetryAfter))
    }

    /// Returns the seconds of a field `Retry-After`, which is a number of them or a date (RFC 9110, 10.2.3); nil for neither.
    static func seconds(retryAfter field: String, now: Date = Date()) -> Double? {
        if let seconds = UInt32(field) { return Double(seconds) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: field).map { max(0, $0.timeIntervalSince(now)) }
    }
}
