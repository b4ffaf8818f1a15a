/// Durations, counted by their length.
package struct DurationHistogram: Sendable, Equatable {
    /// Upper bounds in seconds, from the time of a small request to the time-out of a request.
    package static let bounds = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The number of durations up to each bound and above the bound before it; the last number is above all bounds.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all durations in seconds.
    package private(set) var sum = 0.0

    /// A histogram without durations.
    package init() {}

    /// Counts a duration.
    package mutating func record(_ duration: Duration) {
        let seconds = Double(duration.wholeNanoseconds) * 1e-9
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}
