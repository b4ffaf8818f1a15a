import Primitives
import Testing

@Suite("Whole numbers of a duration")
struct DurationTests {
    @Test(
        "are rounded up to seconds and milliseconds",
        arguments: [
            (Duration.zero, 0, 0), (.nanoseconds(1), 1, 1), (.milliseconds(1), 1, 1), (.microseconds(1001), 1, 2),
            (.seconds(2), 2, 2000), (.nanoseconds(2_000_000_001), 3, 2001), (.milliseconds(-1500), -1, -1500),
        ]
    )
    func roundedUp(duration: Duration, seconds: Int, milliseconds: Int) {
        #expect(duration.wholeSecondsRoundedUp == seconds)
        #expect(duration.wholeMillisecondsRoundedUp == milliseconds)
    }

    @Test("are clamped for durations beyond their range")
    func clamped() {
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.max).wholeSecondsRoundedUp == 9_223_372_037)
    }
}
