import Foundation

/// A moment of civil time, as RFC 3339 writes it: `2026-11-21T03:04:05Z`, with or without a fraction of the second.
struct Moment: Sendable, Equatable {
    /// Seconds since 1970-01-01T00:00:00Z.
    let seconds: Double

    init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        for (position, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
            guard bytes[position] == separator.utf8.first else { return nil }
        }
        func number(_ start: Int, _ count: Int) -> Int? {
            let digits = bytes[start..<start + count]
            guard digits.allSatisfy({ 48...57 ~= $0 }) else { return nil }
            return Int(String(decoding: digits, as: UTF8.self))
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), 1...12 ~= month, 1...31 ~= day, hour < 24,
            minute < 60, second <= 60
        else { return nil }
        // The fraction begins with its point: `.678`.
        let fraction = String(decoding: bytes[19..<bytes.count - 1], as: UTF8.self)
        guard let part = fraction.isEmpty ? 0 : Double("0" + fraction), fraction.isEmpty || fraction.first == "." else {
            return nil
        }
        // Days since the epoch: years begin in March, so that the leap day is the last one.
        let (shifted, marchMonth) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days =
            shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (153 * marchMonth + 2) / 5 + day - 719_469
        seconds = Double(((days * 24 + hour) * 60 + minute) * 60 + second) + part
    }

    var date: Date { Date(timeIntervalSince1970: seconds) }
}
