import BarFeature
import MicroHTTPServer
import MotionFeature
import PhotoFeature
import Primitives
import SharedState
import SpringbarService

/// Publishes values that other parts keep; each part is read once for an exposition.
enum MetricSources {
    /// The histogram of the times of the shared store's replies, which `BarStorage` records.
    static let storeLatency = "springbar_store_latency_seconds"

    /// The texts of the metrics that `RequestMetrics` and `BarStorage` record.
    static let recorded = [
        "http_requests_total": "Requests answered, by route template, method and status.",
        "http_request_duration_seconds": "Time from a complete request to its answer, by route template and method.",
        "http_requests_in_flight": "Requests that have no answer yet.",
        storeLatency: "Time from a call of the shared store to its reply.",
    ]

    /// Publishes the server's connections and exchanges.
    static func observe(_ server: Server, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_") { metrics in
            let server = server.statistics
            metrics.add("connections_open", server.openConnections, "Connections open now.")
            let accepted = "Connections accepted since the start."
            metrics.add("connections_accepted_total", server.acceptedConnections, accepted)
            let reserved = "Connections open now in the reserve for operations."
            metrics.add("connections_reserved", server.reservedConnections, reserved)
            let rejected = "Connections closed at once because the limit or the client's share was reached."
            for (reason, count) in [("limit", server.rejectedForLimit), ("share", server.rejectedForShare)] {
                metrics.add("connections_rejected_total", count, rejected, labels: [("reason", reason)])
            }
            let waiting = "Connections that wait for an asynchronous answer, and open streams."
            metrics.add("requests_waiting", server.waiting, waiting)
            let outcomes = [
                ("completed", server.completed), ("client_gone", server.clientGone), ("timed_out", server.timedOut),
                ("failed", server.failed), ("aborted", server.aborted),
                ("refused", server.refused.values.reduce(0, +)), ("refused_by_library", server.refusedByLibrary),
            ]
            for (outcome, count) in outcomes {
                metrics.add("exchanges_total", count, "Exchanges by outcome.", labels: [("outcome", outcome)])
            }
        }
    }

    /// Publishes the memory budget.
    static func observe(_ memory: MemoryBudget, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_memory_") { metrics in
            metrics.add("bytes", memory.bytes, "Bytes of requests, answers and work in flight, as accounted.")
            metrics.add("limit_bytes", memory.limit, "Limit of springbar_memory_bytes.")
            let refused = "Requests and work refused because the memory budget was used up."
            metrics.add("refused_total", memory.refusals, refused)
        }
    }

    /// Publishes the bars, and their memory or the calls of the shared store.
    static func observe(_ bars: BarSessions, _ photos: PhotoService, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_bar_") { metrics in
            metrics.add("observers", bars.observerCount, "Open streams of bars.")
            guard let memory = bars.statistics else { return }
            metrics.add("sessions", memory.sessions, "Bars.")
            metrics.add("bytes", memory.bytes, "Bytes that bars and their logs take, as accounted.")
        }
        metrics.observe("springbar_store_") { metrics in
            guard let store = bars.sharedStore else { return }
            let connection = store.connection
            metrics.add("up", connection.isAvailable ? 1 : 0, "1 while the shared store accepts calls, otherwise 0.")
            metrics.add("pending", connection.pending, "Calls of the shared store that wait for a reply.")
            metrics.add("commands_total", connection.commands, "Calls that were sent to the shared store.")
            metrics.add("errors_total", connection.errors, "Calls of the shared store that ended with an error.")
            let reconnects = "Connections to the shared store after the first one."
            metrics.add("reconnects_total", connection.reconnects, reconnects)
            let conflicts = "Writes that the shared store refused because another write came first."
            metrics.add("conflicts_total", store.conflicts, conflicts)
            let unreadable = "Values and messages of the shared store that could not be read."
            metrics.add("unreadable_total", store.unreadable, unreadable)
            let resets = "Bars that lost their last writes in the shared store, so their streams ended."
            metrics.add("resets_total", store.resets, resets)
            guard let faults = photos.recordFaults else { return }
            let help = "Pages and photos that could not be read from the shared store or written to it."
            metrics.add("photo_faults_total", faults, help)
        }
    }

    /// Publishes the image cache, the upstream's budget and the running fetches.
    static func observe(_ photos: PhotoService, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_") { metrics in
            let photos = photos.status
            metrics.add("image_cache_entries", photos.imageEntries, "Pictures in memory.")
            let bytes = "Bytes that the pictures in memory take, as accounted."
            metrics.add("image_cache_bytes", photos.imageBytes, bytes)
            metrics.add("image_cache_hits_total", photos.imageHits, "Pictures answered from memory.")
            metrics.add("image_cache_misses_total", photos.imageMisses, "Pictures that were not in memory.")
            metrics.add("image_loads_running", photos.imageLoads, "Pictures that are arriving from the library.")
            let cancelled = "Image transfers cancelled because all waiting clients disconnected."
            metrics.add("image_loads_cancelled_total", photos.cancelledImageLoads, cancelled)
            metrics.add("photos_known", photos.knownPhotos, "Photos with metadata in memory.")
            metrics.add("upstream_fetches", photos.flights, "Fetches under way.")
            metrics.add("upstream_budget_remaining", photos.budgetRemaining, "Upstream calls left in this hour.")
        }
    }

    /// Publishes the motion cache and its worker.
    static func observe(_ motion: MotionHandlers, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_motion_") { metrics in
            let (answers, work) = motion.usage
            metrics.add("cache_entries", answers.entries, "Motion answers in memory.")
            metrics.add("cache_bytes", answers.bytes, "Bytes that the motion answers in memory take, as accounted.")
            metrics.add("cache_hits_total", answers.hits, "Motion requests answered from memory.")
            metrics.add("cache_misses_total", answers.misses, "Motion requests not answered from memory.")
            metrics.add("work_queued", work.queued, "Heavy computations in the queue.")
            metrics.add("work_running", work.running, "Heavy computations in progress, at most one.")
            metrics.add("work_refused_total", work.refused, "Heavy computations refused because the queue was full.")
        }
    }

    /// Publishes the number of dropped log lines.
    static func observe(_ output: LogOutput, in metrics: PrometheusRegistry) {
        metrics.observe("springbar_log_") { metrics in
            let dropped = "Log lines dropped because standard output was blocked or failed."
            metrics.add("lines_dropped_total", output.droppedLines, dropped)
        }
    }

    /// Publishes memory, CPU time and descriptors of the process, under Prometheus's standard names.
    static func observeProcess(in metrics: PrometheusRegistry) {
        metrics.observe("process_") { metrics in
            let process = ProcessUsage.current
            metrics.add("resident_memory_bytes", process.residentBytes, "Resident memory.")
            metrics.add("cpu_seconds_total", process.cpuSeconds, "CPU time since the start, user and system.")
            metrics.add("open_fds", process.openDescriptors, "Open file descriptors.")
        }
    }
}
