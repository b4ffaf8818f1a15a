package import CoreMetrics
import Primitives
import Synchronization

/// Keeps the metrics of swift-metrics, and writes them for Prometheus (text exposition format 0.0.4).
///
/// A family has a name and a kind; a series is a set of labels in it. Series are never removed: their labels are route
/// templates, methods and statuses, never paths or ids.
package final class PrometheusRegistry: MetricsFactory, Sendable {
    private let families = Lock<[String: Family]>([:])
    private let source = Lock<@Sendable (inout Samples) -> Void>({ _ in })
    private let help: [String: String]

    /// - Parameter help: the texts of the metrics of swift-metrics, by name.
    package init(help: [String: String] = [:]) {
        self.help = help
    }

    /// Publishes values of other parts; `read` is called once for each exposition.
    package func observe(_ read: @escaping @Sendable (inout Samples) -> Void) {
        source.withLock { $0 = read }
    }

    package func exposition() -> [UInt8] {
        var samples = Samples(families: families.withLock { $0 })
        source.withLock { $0 }(&samples)
        var text = ExpositionWriter()
        for (name, family) in samples.families.sorted(by: { $0.key < $1.key }) {
            text.header(name: name, kind: family.kind.rawValue, help: family.help)
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.write(name: name, labels: labels, to: &text)
            }
        }
        return text.bytes
    }

    private func series<S: MetricSeries>(
        _ name: String,
        _ kind: Family.Kind,
        _ labels: [(String, String)],
        make: () -> S
    ) -> S {
        let key = ExpositionWriter.labels(labels)
        return families.withLock { families in
            var family = families[name] ?? Family(kind: kind, help: help[name])
            precondition(family.kind == kind, "\(name) is a \(family.kind), not a \(kind)")
            if let known = family.series[key] as? S { return known }
            let series = make()
            family.series[key] = series
            families[name] = family
            return series
        }
    }
}

extension PrometheusRegistry {
    package struct Family: Sendable {
        package enum Kind: String, Sendable {
            case counter
            case gauge
            case histogram
        }

        let kind: Kind
        let help: String?
        var series: [String: any MetricSeries] = [:]
    }

    /// The values of one exposition.
    package struct Samples {
        fileprivate var families: [String: Family]
        /// The beginning of the names of values.
        package var prefix = ""

        /// Adds a value: a counter if the name ends with `_total`, otherwise a gauge.
        package mutating func add(_ name: String, _ value: Double, _ help: String, labels: [(String, String)] = []) {
            let new = Family(kind: name.hasSuffix("_total") ? .counter : .gauge, help: help)
            families[prefix + name, default: new].series[ExpositionWriter.labels(labels)] = ValueSeries(value)
        }

        package mutating func add(_ name: String, _ value: Int, _ help: String, labels: [(String, String)] = []) {
            add(name, Double(value), help, labels: labels)
        }
    }
}

extension PrometheusRegistry {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, .counter, dimensions) { ValueSeries() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, .gauge, dimensions) { ValueSeries() }
    }

    /// Returns a recorder that does nothing: no part of the service has one.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, .histogram, dimensions) { HistogramSeries() }
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
