import MicroHTTPServer
import SpringbarService

/// Figures that others keep already, read when somebody asks for the metrics.
enum MetricSources {
    /// The server's connections and outcomes.
    static func observe(_ server: Server, in metrics: PrometheusRegistry) {
        func publish(
            _ name: String,
            _ kind: PrometheusRegistry.Family.Kind,
            outcome: String? = nil,
            _ read: @escaping @Sendable (Server.Statistics) -> Int
        ) {
            let labels = outcome.map { [("outcome", $0)] } ?? []
            metrics.observe(name, kind: kind, labels: labels) { Double(read(server.statistics)) }
        }
        publish("springbar_connections_open", .gauge) { $0.openConnections }
        publish("springbar_connections_accepted_total", .counter) { $0.acceptedConnections }
        publish("springbar_connections_rejected_total", .counter) { $0.rejectedConnections }
        publish("springbar_requests_waiting", .gauge) { $0.waiting }
        let exchanges = "springbar_exchanges_total"
        publish(exchanges, .counter, outcome: "completed") { $0.completed }
        publish(exchanges, .counter, outcome: "client_gone") { $0.clientGone }
        publish(exchanges, .counter, outcome: "timed_out") { $0.timedOut }
        publish(exchanges, .counter, outcome: "failed") { $0.failed }
        publish(exchanges, .counter, outcome: "aborted") { $0.aborted }
        publish(exchanges, .counter, outcome: "refused") { $0.refused.values.reduce(0, +) }
        publish(exchanges, .counter, outcome: "refused_by_library") { $0.refusedByLibrary }
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
