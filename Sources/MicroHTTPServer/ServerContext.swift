import CMicroHTTPD
import Glibc
import HTTPExchange
import Logging
import Primitives
import Synchronization

/// The state shared by the callbacks, the event loop and the drain.
///
/// Each server has one, which lives until the daemon has stopped.
final class ServerContext: Sendable {
    let configuration: Server.Configuration
    let responder: any Responder
    let logger: Logger
    let counters = Counters()
    let limits: ConnectionLimits
    /// The descriptors of connections that were admitted to the reserve and have not started on a worker.
    ///
    /// From `MHD_add_connection` to the start notification, the library passes on only the descriptor, which no other
    /// connection has meanwhile.
    let reserved = Lock<Set<Int32>>([])
    let connections = Connections()
    let suspended = SuspendedExchanges()
    let monitor: DisconnectMonitor
    let lingering: LingeringClose
    private let heapTrim = Lock(HeapTrim(now: .coarse))
    /// Whether a stream has ended early since the last tick; its connection is freed when its worker wakes.
    let hasStreamEndedEarly = Atomic(false)
    /// Whether responses close their connection from now on.
    let isDraining = Atomic(false)

    /// Creates the state of a server; `descriptors` are those of the event loop, `sweep` is the second set of
    /// `DisconnectMonitor`.
    init(
        configuration: Server.Configuration,
        responder: any Responder,
        logger: Logger,
        descriptors: PollSet,
        sweep: PollSet
    ) {
        self.configuration = configuration
        limits = ConnectionLimits(configuration)
        self.responder = responder
        self.logger = logger
        monitor = DisconnectMonitor(descriptors: descriptors, sweep: sweep)
        lingering = LingeringClose(descriptors: descriptors)
    }

    /// Whether every request has been answered and every task has returned.
    var isQuiet: Bool {
        counters.activeRequests.load(ordering: .acquiring) == 0 && suspended.tasks.load(ordering: .acquiring) == 0
    }

    /// The counters since the start and the current state.
    var statistics: Server.Statistics {
        var statistics = counters.snapshot()
        statistics.openConnections = limits.open
        statistics.reservedConnections = limits.reserved
        statistics.waiting = suspended.count
        return statistics
    }

    /// Checks deadlines and departures; called on the event loop's thread several times a second.
    func tick(_ now: Instant, isHeartbeat: Bool) {
        connections.expire(at: now)
        connections.endReading(monitor.ended())
        lingering.expire(at: now)
        let (highest, bytes) = (configuration.memory.resetHighest(), configuration.memory.bytes)
        if heapTrim.withLock({ $0.isDue(bytes: bytes, highest: highest, now: now) }) { malloc_trim(0) }
        // All streams together: a resume makes the worker scan all suspended connections, and a hundred resumes before
        // that scan cost only one.
        for exchange in suspended.all {
            exchange.tick(now)
            if isHeartbeat { exchange.heartbeat() }
        }
    }

    /// Returns the client that a connection from an address counts for; nil for a trusted proxy, which has no share.
    func limitedClient(at address: IPAddress?) -> ClientKey? {
        guard let address, !configuration.proxies.isTrusted(address) else { return nil }
        return ClientKey(address)
    }

    /// Handles a client that has closed its side of a connection, or broken it off.
    func clientLeft(connection number: UInt64) {
        connections.connection(number)?.markGone()
        suspended.exchange(connection: number)?.clientLeft()
    }
}
