import BarFeature
import MicroHTTPServer
import MotionFeature
import PhotoFeature
import Primitives
import SharedState
import SpringbarService

/// Publishes values that other parts keep; they are read for each exposition.
enum MetricSources {
    /// Publishes the server's connections and exchanges.
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

    /// Publishes the memory budget.
    static func observe(_ memory: MemoryBudget, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_memory_bytes") { Double(memory.bytes) }
        metrics.observe("springbar_memory_limit_bytes") { Double(memory.limit) }
        metrics.observe("springbar_memory_refused_total", kind: .counter) { Double(memory.refusals) }
    }

    /// Publishes the bars and their memory, and the calls of the shared store.
    static func observe(_ bars: BarSessions, _ photos: PhotoService, in metrics: PrometheusRegistry) {
        if bars.sharedStore == nil {
            metrics.observe("springbar_bar_sessions") { Double(bars.statistics?.sessions ?? 0) }
            metrics.observe("springbar_bar_bytes") { Double(bars.statistics?.bytes ?? 0) }
        }
        metrics.observe("springbar_bar_observers") { Double(bars.observerCount) }
        if bars.sharedStore != nil { observeStore(of: bars, photos, in: metrics) }
    }

    /// The histogram of the times of the shared store's replies, which `BarStorage` records.
    static let storeLatency = "springbar_store_latency_seconds"

    /// Publishes the calls of the shared store.
    private static func observeStore(of bars: BarSessions, _ photos: PhotoService, in metrics: PrometheusRegistry) {
        func publish(
            _ name: String,
            _ kind: PrometheusRegistry.Family.Kind = .counter,
            _ read: @escaping @Sendable (SharedStoreStatus) -> Double
        ) {
            metrics.observe("springbar_store_" + name, kind: kind) { bars.sharedStore.map(read) ?? 0 }
        }
        publish("up", .gauge) { $0.connection.isAvailable ? 1 : 0 }
        publish("pending", .gauge) { Double($0.connection.pending) }
        publish("commands_total") { Double($0.connection.commands) }
        publish("errors_total") { Double($0.connection.errors) }
        publish("reconnects_total") { Double($0.connection.reconnects) }
        publish("conflicts_total") { Double($0.conflicts) }
        publish("unreadable_total") { Double($0.unreadable) }
        publish("resets_total") { Double($0.resets) }
        if photos.recordFaults != nil { publish("photo_faults_total") { _ in Double(photos.recordFaults ?? 0) } }
    }

    /// Publishes the image cache, the upstream's budget and the running fetches.
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

    /// Publishes the motion cache and its worker.
    static func observe(_ motion: MotionHandlers, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_motion_cache_entries") { Double(motion.usage.answers.entries) }
        metrics.observe("springbar_motion_cache_bytes") { Double(motion.usage.answers.bytes) }
        metrics.observe("springbar_motion_cache_hits_total", kind: .counter) { Double(motion.usage.answers.hits) }
        metrics.observe("springbar_motion_cache_misses_total", kind: .counter) { Double(motion.usage.answers.misses) }
        metrics.observe("springbar_motion_work_queued") { Double(motion.usage.work.queued) }
        metrics.observe("springbar_motion_work_running") { Double(motion.usage.work.running) }
        metrics.observe("springbar_motion_work_refused_total", kind: .counter) { Double(motion.usage.work.refused) }
    }

    /// Publishes the number of dropped log lines.
    static func observe(_ output: LogOutput, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_log_lines_dropped_total", kind: .counter) { Double(output.droppedLines) }
    }

    /// Publishes memory, CPU time and descriptors of the process, under Prometheus's standard names.
    static func observeProcess(in metrics: PrometheusRegistry) {
        metrics.observe("process_resident_memory_bytes") { Double(ProcessUsage.current.residentBytes) }
        metrics.observe("process_cpu_seconds_total", kind: .counter) { ProcessUsage.current.cpuSeconds }
        metrics.observe("process_open_fds") { Double(ProcessUsage.current.openDescriptors) }
    }
}

/// The help text of each metric.
enum MetricHelp {
    static let sentences = [
        "http_requests_total": "Requests answered, by route template, method and status.",
        "http_request_duration_seconds": "Time from a complete request to its answer, by route template and method.",
        "http_requests_in_flight": "Requests that have no answer yet.",
        "springbar_connections_open": "Connections open now.",
        "springbar_connections_accepted_total": "Connections accepted since the start.",
        "springbar_connections_reserved": "Connections open now in the reserve for operations.",
        "springbar_connections_rejected_total":
            "Connections closed at once because the limit or the client's share was reached.",
        "springbar_memory_bytes": "Bytes of requests, answers and work in flight, as accounted.",
        "springbar_memory_limit_bytes": "Limit of springbar_memory_bytes.",
        "springbar_memory_refused_total": "Requests and work refused because the memory budget was used up.",
        "springbar_requests_waiting": "Connections that wait for an asynchronous answer, and open streams.",
        "springbar_exchanges_total": "Exchanges by outcome.",
        "springbar_bar_sessions": "Bars.",
        "springbar_bar_bytes": "Bytes that bars and their logs take, as accounted.",
        "springbar_bar_observers": "Open streams of bars.",
        "springbar_store_up": "1 while the shared store accepts calls, otherwise 0.",
        "springbar_store_pending": "Calls of the shared store that wait for a reply.",
        "springbar_store_latency_seconds": "Time from a call of the shared store to its reply.",
        "springbar_store_commands_total": "Calls that were sent to the shared store.",
        "springbar_store_errors_total": "Calls of the shared store that ended with an error.",
        "springbar_store_reconnects_total": "Connections to the shared store after the first one.",
        "springbar_store_conflicts_total": "Writes that the shared store refused because another write came first.",
        "springbar_store_unreadable_total": "Values and messages of the shared store that could not be read.",
        "springbar_store_photo_faults_total":
            "Pages and photos that could not be read from the shared store or written to it.",
        "springbar_store_resets_total": "Bars that lost their last writes in the shared store, so their streams ended.",
        "springbar_image_cache_entries": "Pictures in memory.",
        "springbar_image_cache_bytes": "Bytes that the pictures in memory take, as accounted.",
        "springbar_image_cache_hits_total": "Pictures answered from memory.",
        "springbar_image_cache_misses_total": "Pictures that were not in memory.",
        "springbar_image_loads_running": "Pictures that are arriving from the library.",
        "springbar_image_loads_cancelled_total": "Image transfers cancelled because all waiting clients disconnected.",
        "springbar_photos_known": "Photos with metadata in memory.",
        "springbar_upstream_fetches": "Fetches under way.",
        "springbar_upstream_budget_remaining": "Upstream calls left in this hour.",
        "springbar_motion_cache_entries": "Keys of motion answers in memory, at most two for each answer.",
        "springbar_motion_cache_bytes": "Bytes that the motion answers in memory take, as accounted.",
        "springbar_motion_cache_hits_total": "Motion requests answered from memory.",
        "springbar_motion_cache_misses_total": "Motion requests not answered from memory.",
        "springbar_motion_work_queued": "Heavy computations in the queue.",
        "springbar_motion_work_running": "Heavy computations in progress, at most one.",
        "springbar_motion_work_refused_total": "Heavy computations refused because the queue was full.",
        "springbar_log_lines_dropped_total": "Log lines dropped because standard output was blocked or failed.",
        "process_resident_memory_bytes": "Resident memory.",
        "process_cpu_seconds_total": "CPU time since the start, user and system.",
        "process_open_fds": "Open file descriptors.",
    ]
}
