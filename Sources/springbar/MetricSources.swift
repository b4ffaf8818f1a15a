import BarFeature
import MicroHTTPServer
import MotionFeature
import Photos
import Primitives
import SharedState
import SpringbarService

/// Publishes values that the parts keep; each is read once for an exposition.
extension ServiceAssembly {
    func readServer(_ server: Server, into metrics: inout PrometheusRegistry.Samples) {
        metrics.prefix = "springbar_"
        let statistics = server.statistics
        metrics.add("connections_open", statistics.openConnections, "Connections open now.")
        metrics.add("connections_limit", server.configuration.maxConnections, "Limit of open connections.")
        metrics.add(
            "connections_accepted_total",
            statistics.acceptedConnections,
            "Connections accepted since the start."
        )
        metrics.add("connections_reserved", statistics.reservedConnections, "Connections open now in the reserve.")
        let rejected = "Connections closed at once because the limit or the client's share was reached."
        for (reason, count) in [("limit", statistics.rejectedForLimit), ("share", statistics.rejectedForShare)] {
            metrics.add("connections_rejected_total", count, rejected, labels: [("reason", reason)])
        }
        metrics.add(
            "requests_waiting",
            statistics.waiting,
            "Connections waiting for a promised answer, and open streams."
        )
        let outcomes: [(label: String, outcome: ExchangeOutcome)] = [
            ("completed", .completed), ("client_gone", .clientGone), ("timed_out", .timedOut), ("failed", .failed),
            ("aborted", .aborted), ("refused", .refused), ("refused_by_library", .refusedByLibrary),
        ]
        for (label, outcome) in outcomes {
            let count = statistics.exchanges[outcome] ?? 0
            metrics.add("exchanges_total", count, "Exchanges by outcome.", labels: [("outcome", label)])
        }
        metrics.prefix = "springbar_memory_"
        metrics.add("bytes", memory.bytes, "Bytes of requests, answers and work in flight, as accounted.")
        metrics.add("limit_bytes", memory.limit, "Limit of springbar_memory_bytes.")
        metrics.add("refused_total", memory.refusals, "Requests and work refused because the memory budget is used up.")
    }

    func readBars(_ bars: BarSessions, _ photos: PhotoService, into metrics: inout PrometheusRegistry.Samples) {
        metrics.prefix = "springbar_bar_"
        metrics.add("observers", bars.store.observers.count, "Open streams of bars.")
        if let memory = bars.store.statistics {
            metrics.add("sessions", memory.sessions, "Bars.")
            metrics.add("sessions_limit", memory.maxSessions, "Limit of springbar_bar_sessions.")
            metrics.add("bytes", memory.bytes, "Bytes that bars and their logs take, as accounted.")
            metrics.add("limit_bytes", memory.maxBytes, "Limit of springbar_bar_bytes.")
        }
        guard let store = bars.store.shared else { return }
        metrics.prefix = "springbar_store_"
        let connection = store.connection
        metrics.add("up", connection.isAvailable ? 1 : 0, "1 while the shared store accepts calls, otherwise 0.")
        metrics.add("pending", connection.pending, "Calls of the shared store that wait for a reply.")
        metrics.add("commands_total", connection.commands, "Calls that were sent to the shared store.")
        metrics.add("errors_total", connection.errors, "Calls of the shared store that ended with an error.")
        metrics.add("reconnects_total", connection.reconnects, "Connections to the shared store after the first one.")
        metrics.add("conflicts_total", store.conflicts, "Writes that the shared store refused after another write.")
        metrics.add("unreadable_total", store.unreadable, "Unreadable values and messages of the shared store.")
        metrics.add("resets_total", store.resets, "Bars that lost their last writes, so that their streams ended.")
        guard let faults = photos.recordFaults else { return }
        metrics.add("photo_faults_total", faults, "Pages and photos not read from the shared store or written to it.")
    }

    func readCaches(_ photos: PhotoService, _ motion: MotionHandlers, into metrics: inout PrometheusRegistry.Samples) {
        metrics.prefix = "springbar_"
        let photos = photos.status
        metrics.add("image_cache_entries", photos.imageCache.entries, "Pictures in memory.")
        metrics.add("image_cache_bytes", photos.imageCache.bytes, "Bytes that pictures in memory take, as accounted.")
        metrics.add("image_cache_limit_bytes", photos.imageCache.capacity, "Limit of springbar_image_cache_bytes.")
        metrics.add("image_cache_hits_total", photos.imageCache.hits, "Pictures answered from memory.")
        metrics.add("image_cache_misses_total", photos.imageCache.misses, "Pictures that were not in memory.")
        metrics.add("image_loads_running", photos.imageLoads.running, "Pictures that are arriving from the library.")
        let cancelled = "Image transfers cancelled because all waiting clients disconnected."
        metrics.add("image_loads_cancelled_total", photos.imageLoads.cancelled, cancelled)
        metrics.add("photos_known", photos.knownPhotos, "Photos with metadata in memory.")
        metrics.add("upstream_fetches", photos.flights, "Fetches under way.")
        metrics.add("upstream_budget_remaining", photos.budget.remaining, "Upstream calls left in this hour.")
        metrics.add("upstream_budget_limit", photos.budget.limit, "Upstream calls of an hour.")
        metrics.prefix = "springbar_motion_"
        let (answers, work) = motion.usage
        metrics.add("cache_entries", answers.entries, "Motion answers in memory.")
        metrics.add("cache_bytes", answers.bytes, "Bytes that the motion answers in memory take, as accounted.")
        metrics.add("cache_hits_total", answers.hits, "Motion requests answered from memory.")
        metrics.add("cache_misses_total", answers.misses, "Motion requests not answered from memory.")
        metrics.add("work_queued", work.queued, "Heavy computations in the queue.")
        metrics.add("work_running", work.running, "Heavy computations in progress, at most one.")
        metrics.add("work_refused_total", work.refused, "Heavy computations refused because the queue was full.")
    }

    func readProcess(since started: WallTime, into metrics: inout PrometheusRegistry.Samples) {
        metrics.prefix = "springbar_"
        metrics.add("build_info", 1, "1, with the version of the service.", labels: [("version", Version.text)])
        metrics.add("log_lines_dropped_total", output.droppedLines, "Log lines that standard output did not take.")
        // Prometheus's standard names.
        metrics.prefix = "process_"
        metrics.add("start_time_seconds", Double(started.milliseconds) / 1000, "Start of the process since 1970.")
        let process = ProcessUsage.current
        metrics.add("resident_memory_bytes", process.residentBytes, "Resident memory.")
        metrics.add("cpu_seconds_total", process.cpuSeconds, "CPU time since the start, user and system.")
        metrics.add("open_fds", process.openDescriptors, "Open file descriptors.")
    }
}
