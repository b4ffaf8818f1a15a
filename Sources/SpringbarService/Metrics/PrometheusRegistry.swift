package import HTTPExchange
package import Primitives
import Synchronization

/// Writes the metrics that the parts of the service keep for Prometheus (text exposition format 0.0.4).
///
/// Labels are route templates, methods, statuses and constants, never paths or ids.
package final class PrometheusRegistry: Sendable {
    private let sources = Lock<[@Sendable (inout Samples) -> Void]>([])
    /// The last text.
    private let text = Lock<(bytes: SharedBytes, made: Instant)?>(nil)

    package init() {}

    /// Publishes values of other parts; `read` is called once for each exposition.
    package func observe(_ read: @escaping @Sendable (inout Samples) -> Void) {
        sources.withLock { $0.append(read) }
    }

    /// Publishes the requests of the application.
    package func observe(_ metrics: RequestMetrics) {
        observe { samples in
            samples.add("http_requests_in_flight", metrics.inFlight, "Requests that have no answer yet.")
            for (route, method, requests) in metrics.all {
                let labels = [("route", route), ("method", method)]
                let time = "Time from a complete request to the answer of its handler, by route template and method."
                if let times = requests.times {
                    samples.add("http_request_duration_seconds", times, time, labels: labels)
                }
                for (status, count) in requests.counts {
                    let help = "Requests answered, by route template, method and status."
                    samples.add("http_requests_total", count, help, labels: labels + [("status", "\(status)")])
                }
            }
        }
    }

    /// Returns the text, which is made once a second at most: anyone may ask for it.
    package func exposition(at now: Instant) -> SharedBytes {
        text.withLock { text in
            if let text, now - text.made < .seconds(1) { return text.bytes }
            var samples = Samples()
            for read in sources.withLock({ $0 }) {
                samples.prefix = ""
                read(&samples)
            }
            let bytes = SharedBytes(Array(samples.text.utf8))
            text = (bytes, now)
            return bytes
        }
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
            append(name, name.hasSuffix("_total") ? "counter" : "gauge", help, [("", labels, value)])
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
            var lines: [Line] = []
            var total = 0
            for (bound, count) in zip(DurationHistogram.bounds.map { "\($0)" } + ["+Inf"], durations.counts) {
                total += count
                lines.append(("_bucket", labels + [("le", bound)], Double(total)))
            }
            lines += [("_sum", labels, durations.sum), ("_count", labels, Double(total))]
            append(name, "histogram", help, lines)
        }

        private typealias Line = (suffix: String, labels: [(String, String)], value: Double)

        /// Appends the lines of a value, after the head of the metric if it is the first one.
        private mutating func append(_ name: String, _ kind: String, _ help: String, _ lines: [Line]) {
            let name = prefix + name
            var text = metrics[name] ?? "# HELP \(name) \(Samples.escaped(help))\n# TYPE \(name) \(kind)\n"
            for (suffix, labels, value) in lines {
                // The names of labels are constants, and need no escapes.
                let list = labels.map { "\($0)=\"\(Samples.escaped($1, with: "\""))\"" }.joined(separator: ",")
                let isWhole = value == value.rounded() && abs(value) < 1e15
                let number = isWhole ? "\(Int.clamping(value))" : "\(value)"
                text += "\(name)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(number)\n"
            }
            metrics[name] = text
        }

        /// Returns a text with escapes for backslashes, line feeds and one more character.
        private static func escaped(_ text: String, with other: Unicode.Scalar = "\\") -> String {
            let needsEscape: (Unicode.Scalar) -> Bool = { $0 == "\\" || $0 == "\n" || $0 == other }
            guard text.unicodeScalars.contains(where: needsEscape) else { return text }
            var result = ""
            for scalar in text.unicodeScalars {
                if needsEscape(scalar) { result.unicodeScalars.append("\\") }
                result.unicodeScalars.append(scalar == "\n" ? "n" : scalar)
            }
            return result
        }
    }
}
