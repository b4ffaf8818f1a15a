import MicroHTTPServer
import Primitives
import SpringbarService

/// Figures that others keep already, read when somebody asks for the metrics.
enum MetricSources {
    /// The server's connections and outcomes.
    static func observe(_ server: Server, in metrics: PrometheusRegistry) {
        func publish(
            _ name: String,
            _ kind: PrometheusRegistry.Family.Kind,
            outcome: String? = nil,
            reason: String? = nil,
            _ read: @escaping @Sendable (Server.Statistics) -> Int
        ) {
            let labels = [("outcome", outcome), ("reason", reason)].compactMap { name, value in
                value.map { (name, $0) }
            }
            metrics.observe(name, kind: kind, labels: labels) { Double(read(server.statistics)) }
        }
        publish("springbar_connections_open", .gauge) { $0.openConnections }
        publish("springbar_connections_accepted_total", .counter) { $0.acceptedConnections }
        publish("springbar_connections_reserved", .gauge) { $0.reservedConnections }
        let rejected = "springbar_connections_rejected_total"
        publish(rejected, .counter, reason: "limit") { $0.rejectedForLimit }
        publish(rejected, .counter, reason: "share") { $0.rejectedForShare }
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

    /// The memory budget of everything in flight.
    static func observe(_ memory: MemoryBudget, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_memory_bytes") { Double(memory.bytes) }
        metrics.observe("springbar_memory_limit_bytes") { Double(memory.limit) }
        metrics.observe("springbar_memory_refused_total", kind: .counter) { Double(memory.refusals) }
    }

    /// The bars and what they take.
    static func observe(_ bars: BarSessions, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_bar_sessions") { Double(bars.statistics.sessions) }
        metrics.observe("springbar_bar_bytes") { Double(bars.statistics.bytes) }
        metrics.observe("springbar_bar_observers") { Double(bars.observerCount) }
    }

    /// The image cache, the upstream's budget and what is under way.
    static func observe(_ photos: PhotoService, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_image_cache_entries") { Double(photos.status.imageEntries) }
        metrics.observe("springbar_image_cache_bytes") { Double(photos.status.imageBytes) }
        metrics.observe("springbar_image_cache_hits_total", kind: .counter) { Double(photos.status.imageHits) }
        metrics.observe("springbar_image_cache_misses_total", kind: .counter) { Double(photos.status.imageMisses) }
        metrics.observe("springbar_image_loads_running") { Double(photos.status.imageLoads) }
        metrics.observe("springbar_image_loads_cancelled_total", kind: .counter) {
            Double(photos.status.cancelledImageLoads)
        }
        metrics.observe("springbar_photos_known") { Double(photos.status.knownPhotos) }
        metrics.observe("springbar_upstream_fetches") { Double(photos.status.flights) }
        metrics.observe("springbar_upstream_budget_remaining") { Double(photos.status.budgetRemaining) }
    }

    /// The kept answers of the motion part, and its worker.
    static func observe(_ motion: MotionHandlers, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_motion_cache_entries") { Double(motion.usage.answers.entries) }
        metrics.observe("springbar_motion_cache_bytes") { Double(motion.usage.answers.bytes) }
        metrics.observe("springbar_motion_cache_hits_total", kind: .counter) { Double(motion.usage.answers.hits) }
        metrics.observe("springbar_motion_cache_misses_total", kind: .counter) { Double(motion.usage.answers.misses) }
        metrics.observe("springbar_motion_work_queued") { Double(motion.usage.work.queued) }
        metrics.observe("springbar_motion_work_running") { Double(motion.usage.work.running) }
        metrics.observe("springbar_motion_work_refused_total", kind: .counter) { Double(motion.usage.work.refused) }
    }

    /// The log lines that were lost.
    static func observe(_ output: LogOutput, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_log_lines_dropped_total", kind: .counter) { Double(output.droppedLines) }
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
        "springbar_connections_reserved": "Connections open now in the reserve for operations.",
        "springbar_connections_rejected_total":
            "Connections closed at once because all were taken (limit) or their client had its share.",
        "springbar_memory_bytes": "Bytes of requests, answers and work in flight, as accounted.",
        "springbar_memory_limit_bytes": "The most bytes that may be in flight.",
        "springbar_memory_refused_total": "Times that something in flight was refused for want of memory.",
        "springbar_requests_waiting": "Connections that wait for an answer promised, and open streams.",
        "springbar_exchanges_total": "Exchanges by how they ended.",
        "springbar_bar_sessions": "Bars that live.",
        "springbar_bar_bytes": "Bytes that bars and their logs take, as accounted.",
        "springbar_bar_observers": "Open streams of bars.",
        "springbar_image_cache_entries": "Pictures in memory.",
        "springbar_image_cache_bytes": "Bytes that the pictures in memory take, as accounted.",
        "springbar_image_cache_hits_total": "Pictures answered from memory.",
        "springbar_image_cache_misses_total": "Pictures that were not in memory.",
        "springbar_image_loads_running": "Pictures that are arriving from the library.",
        "springbar_image_loads_cancelled_total": "Pictures whose transfer was ended because nobody waited any more.",
        "springbar_photos_known": "Photos whose facts are in memory.",
        "springbar_upstream_fetches": "Fetches under way.",
        "springbar_upstream_budget_remaining": "API calls left in this hour.",
        "springbar_motion_cache_entries": "Names under which motion answers are in memory, two for each at most.",
        "springbar_motion_cache_bytes": "Bytes that the motion answers in memory take, as accounted.",
        "springbar_motion_cache_hits_total": "Motion requests answered from memory.",
        "springbar_motion_cache_misses_total": "Motion requests whose answer was not in memory.",
        "springbar_motion_work_queued": "Heavy computations that wait for their turn.",
        "springbar_motion_work_running": "Heavy computations under way, one at most.",
        "springbar_motion_work_refused_total": "Heavy computations refused because too many waited.",
        "springbar_log_lines_dropped_total": "Log lines dropped because standard output did not take them in time.",
        "process_resident_memory_bytes": "Memory that is really held.",
        "process_cpu_seconds_total": "Time on processors since the start, user and system.",
        "process_open_fds": "Open file descriptors.",
    ]
}
