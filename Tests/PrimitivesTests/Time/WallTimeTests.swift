import Foundation
import Primitives
import TestSupport
import Testing

@Suite("WallTime")
struct WallTimeTests {
    @Test(
        "a moment is written in the format of RFC 3339",
        arguments: [
            // RFC 3339, section 5.8; the leap day of a century year; the last millisecond before the epoch.
            (482_196_050_520, "1985-04-12T23:20:50.520Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ]
    )
    func known(milliseconds: Int, text: String) {
        #expect(WallTime(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test(
        "a fraction of a second is truncated, before the epoch too",
        arguments: [(999, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z")]
    )
    func fractions(milliseconds: Int, text: String) {
        #expect(WallTime(milliseconds: milliseconds).rfc3339Seconds == text)
    }

    @Test("the text is equal to Foundation's over four centuries")
    func differential() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let seconds = Int.random(in: -6_000_000_000...6_000_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let time = WallTime(milliseconds: seconds * 1000)
            #expect(time.rfc3339 == formatter.string(from: date))
            #expect(time.rfc3339Seconds == time.rfc3339.dropLast(5) + "Z")
        }
    }
}
