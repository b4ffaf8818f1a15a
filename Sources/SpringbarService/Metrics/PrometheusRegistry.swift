import HTTPExchange
package import Primitives
import Synchronization

/// Writes the metrics that the parts of the service keep for Prometheus (text exposition format 0.0.4).
///
/// Labels are route templates, methods, statuses and constants, never paths or ids.
package final class PrometheusRegistry: Sendable {
    private let sources = Lock<[@Sendable (inout Samples) -> Void]>([])

    package init() {}

    /// Publishes values of other parts; `read` is called once for each exposition.
    package func observe(_ read: @escaping @Sendable (inout Samples) -> Void) {
        sources.withLock { $0.append(read) }
    }

    /// Publishes the requests of the application.
    func observe(_ metrics: RequestMetrics) {
        observe { samples in
            samples.add("http_requests_in_flight", metrics.inFlight, "Requests that have no answer yet.")
            for (route, method, requests) in metrics.all {
                let labels = [("route", route), ("method", method)]
                let time = "Time from a complete request to its answer, by route template and method."
                samples.add("http_request_duration_seconds", requests.times, time, labels: labels)
                for (status, count) in requests.counts {
                    let help = "Requests answered, by route template, method and status."
                    samples.add("http_requests_total", count, help, labels: labels + [("status", "\(status)")])
                }
            }
        }
    }

    package func exposition() -> [UInt8] {
        var samples = Samples()
        for read in sources.withLock({ $0 }) {
            samples.prefix = ""
            read(&samples)
        }
        return Array(samples.text.utf8)
    }

    /// The values of one exposition.
    package struct Samples {
        /// The beginning of the names of values.
        package var prefix = ""
        /// The lines of each metric by its name: the two of its head, and its values in the order of their addition.
        private var metrics: [String: String] = [:]

        fileprivate var text: String { metrics.sorted { $0.key < $1.key }.map(\.value).joined() }

        /// Adds a value: a counter if the name ends with `_total`, otherwise a gauge.
        package mutating func add(_ name: String, _ value: Double, _ help: String, labels: [(String, String)] = []) {
            begin(name, name.hasSuffix("_total") ? "counter" : "gauge", help)
            write(name, labels: labels, value)
        }

        package mutating func add(_ name: String, _ value: Int, _ help: String, labels: [(String, String)] = []) {
            add(name, Double(value), help, labels: labels)
        }

        /// Adds a histogram with cumulative buckets.
        package mutating func add(
            _ name: String,
            _ durations: DurationHistogram,
            _ help: String,
            labels: [(String, String)] = []
        ) {
            begin(name, "histogram", help)
            var total = 0
            for (bound, count) in zip(DurationHistogram.bounds.map { "\($0)" } + ["+Inf"], durations.counts) {
                total += count
                write(name, "_bucket", labels: labels + [("le", bound)], Double(total))
            }
            write(name, "_sum", labels: labels, durations.sum)
            write(name, "_count", labels: labels, Double(total))
        }

        private mutating func begin(_ name: String, _ kind: String, _ help: String) {
            let head = "# HELP \(prefix + name) \(Samples.escaped(help))\n# TYPE \(prefix + name) \(kind)\n"
            if metrics[prefix + name] == nil { metrics[prefix + name] = head }
        }

        private mutating func write(
            _ name: String,
            _ part: String = "",
            labels: [(String, String)],
            _ value: Double
        ) {
            // Names are constants, and need no escapes.
            let pairs = labels.map { "\($0)=\"\(Samples.escaped($1).replacing("\"", with: "\\\""))\"" }
            let braces = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
            let isWhole = value == value.rounded() && abs(value) < 1e15
            let number = isWhole ? "\(Int.clamping(value))" : "\(value)"
            metrics[prefix + name, default: ""] += "\(prefix + name + part)\(braces) \(number)\n"
        }

        private static func escaped(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        }
    }
}
