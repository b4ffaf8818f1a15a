import PhotoLibrary
import Primitives
import TestSupport
import Testing

@Suite("Times of the library")
struct WallTimeParsingTests {
    @Test(
        "a moment is parsed in any time zone",
        arguments: [
            // RFC 3339, section 5.8, in whole seconds.
            ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50Z"),
            ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"),
            ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"),
            ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"),
            ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27Z"),
            ("2000-02-29t00:00:00z", "2000-02-29T00:00:00Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59Z"),
        ]
    )
    func parsing(text: String, inUTC: String) {
        #expect(WallTime(rfc3339: text)?.rfc3339Seconds == inUTC)
    }

    @Test(
        "other text is refused",
        arguments: [
            "", "2024", "2024-07-02", "2024-07-02T16:19:28", "2024-07-02 16:19:28Z", "2024-13-02T16:19:28Z",
            "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-07-02T24:00:00Z", "2024-07-02T16:19:61Z",
            "2024-07-02T16:19:28.Z", "2024-07-02T16:19:28Z ", "2024-07-02T16:19:28+0200", "+024-07-02T16:19:28Z",
            "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59-00:01", "２024-07-02T16:19:28Z",
        ]
    )
    func malformed(text: String) {
        #expect(WallTime(rfc3339: text) == nil)
    }

    @Test("a written text is parsed to the same moment")
    func roundTrip() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let time = WallTime(milliseconds: Int.random(in: -6_000_000_000...6_000_000_000, using: &generator) * 1000)
            #expect(WallTime(rfc3339: time.rfc3339Seconds) == time)
        }
    }
}
