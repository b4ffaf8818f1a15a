import Primitives
import Testing

@Suite("Histogram of durations")
struct DurationHistogramTests {
    @Test("a duration counts at the first bound that is not below it, and above all bounds in the last number")
    func bounds() {
        var histogram = DurationHistogram()
        let durations: [Duration] = [
            .zero, .microseconds(50), .nanoseconds(50_001), .seconds(10), .seconds(11), .seconds(60),
        ]
        for duration in durations { histogram.record(duration) }
        #expect(histogram.counts.count == 18)
        #expect(histogram.counts[0] == 2)
        #expect(histogram.counts[1] == 1)
        #expect(histogram.counts[16] == 1)
        #expect(histogram.counts[17] == 2)
        #expect(histogram.counts.reduce(0, +) == 6)
        #expect(abs(histogram.sum - 81.000_100_001) < 1e-9)
    }
}
