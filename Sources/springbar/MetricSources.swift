import MicroHTTPServer
import SpringbarService

/// Figures that others keep already, read when somebody asks for the metrics.
enum MetricSources {
    /// The server's connections and outcomes.
    static func observe(_ server: Server, in metrics: PrometheusRegistry) {
        func publish(_ name: String, _ kind: PrometheusRegistry.Family.Kind, _ read: KeyPath<Server.Statistics, Int> & Sendable) {
            metrics.observe(name, kind: kind) { Double(server.statistics[keyPath: read]) }
        }
        publish("springbar_connections_open", .gauge, \.openConnections)
        publish("springbar_connections_accepted_total", .counter, \.acceptedConnections)
        publish("springbar_connections_rejected_total", .counter, \.rejectedConnections)
        publish("springbar_requests_waiting", .gauge, \.waiting)
        let outcomes: [(String, KeyPath<Server.Statistics, Int> & Sendable)] = [
            ("completed", \.completed), ("client_gone", \.clientGone), ("timed_out", \.timedOut), ("failed", \.failed),
            ("aborted", \.aborted), ("refused_by_library", \.refusedByLibrary),
        ]
        for (outcome, read) in outcomes {
            metrics.observe("springbar_exchanges_total", kind: .counter, labels: [("outcome", outcome)]) {
                Double(server.statistics[keyPath: read])
            }
        }
        metrics.observe("springbar_exchanges_total", kind: .counter, labels: [("outcome", "refused")]) {
            Double(server.statistics.refused.values.reduce(0, +))
        }
    }

    /// What the process takes, under the names that every Prometheus client uses.
    static func observeProcess(in metrics: PrometheusRegistry) {
        metrics.observe("process_resident_memory_bytes") { Double(ProcessUsage.current.residentBytes) }
        metrics.observe("process_cpu_seconds_total", kind: .counter) { ProcessUsage.current.cpuSeconds }
        metrics.observe("process_open_fds") { Double(ProcessUsage.current.openDescriptors) }
    }
}

/// A sentence for each metric.
enum MetricHelp {
    static let sentences = [
        "http_requests_total": "Requests answered, by route template, method and status.",
        "http_request_duration_seconds": "Time from a complete request to its answer, by route template and method.",
        "http_requests_in_flight": "Requests that have no answer yet.",
        "springbar_connections_open": "Connections open now.",
        "springbar_connections_accepted_total": "Connections taken since the start.",
        "springbar_connections_rejected_total": "Connections closed at once because there were too many.",
        "springbar_requests_waiting": "Connections that wait for an answer promised, and open streams.",
        "springbar_exchanges_total": "Exchanges by how they ended.",
        "process_resident_memory_bytes": "Memory that is really held.",
        "process_cpu_seconds_total": "Time on processors since the start, user and system.",
        "process_open_fds": "Open file descriptors.",
    ]
}
