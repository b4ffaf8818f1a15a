import CoreMetrics
import Primitives
import Synchronization

protocol MetricSeries: Sendable {
    func write(name: String, labels: String, to text: inout ExpositionWriter)
}

final class ValueSeries: MetricSeries, CounterHandler, MeterHandler {
    private let value: Atomic<Double>

    init(_ value: Double = 0) {
        self.value = Atomic(value)
    }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.store(value, ordering: .relaxed) }
    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func decrement(by amount: Double) { increment(by: -amount) }

    func increment(by amount: Double) {
        var old = value.load(ordering: .relaxed)
        while true {
            let (isDone, present) = value.compareExchange(expected: old, desired: old + amount, ordering: .relaxed)
            if isDone { return }
            old = present
        }
    }

    func reset() { set(0.0) }

    func write(name: String, labels: String, to text: inout ExpositionWriter) {
        text.sample(name: name, labels: labels, value.load(ordering: .relaxed))
    }
}

/// Counts durations in cumulative buckets.
final class HistogramSeries: MetricSeries, TimerHandler {
    /// Upper bounds in seconds, from the time of a bar's update to a request's time-out.
    private static let bounds = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    private struct Counts {
        var buckets = [Int](repeating: 0, count: HistogramSeries.bounds.count + 1)
        var sum = 0.0
    }

    private let counts = Lock(Counts())

    func recordNanoseconds(_ duration: Int64) {
        let seconds = Double(duration) * 1e-9
        let bucket = HistogramSeries.bounds.firstIndex { seconds <= $0 } ?? HistogramSeries.bounds.count
        counts.withLock { counts in
            counts.buckets[bucket] += 1
            counts.sum += seconds
        }
    }

    func write(name: String, labels: String, to text: inout ExpositionWriter) {
        let counts = counts.withLock { $0 }
        var total = 0
        for (bound, count) in zip(HistogramSeries.bounds, counts.buckets) {
            total += count
            text.sample(name: name + "_bucket", labels: labels, extra: ("le", "\(bound)"), Double(total))
        }
        total += counts.buckets[HistogramSeries.bounds.count]
        text.sample(name: name + "_bucket", labels: labels, extra: ("le", "+Inf"), Double(total))
        text.sample(name: name + "_sum", labels: labels, counts.sum)
        text.sample(name: name + "_count", labels: labels, Double(total))
    }
}
