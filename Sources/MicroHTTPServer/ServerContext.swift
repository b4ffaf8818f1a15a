import CMicroHTTPD
import HTTPExchange
import Logging
import Network
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
    let connections: Connections
    let suspended = SuspendedExchanges()
    let lingering: LingeringClose
    /// Whether a stream has ended early since the last tick; its connection is freed when its worker wakes.
    let hasStreamEndedEarly = Atomic(false)
    /// The time of the next check of readers.
    private let nextCheck = Lock(Instant.coarse)
    /// The least number of free bytes in the heap since it was trimmed.
    private let freeBytes = Lock(0)
    /// Whether responses close their connection from now on.
    let isDraining = Atomic(false)
    /// Is woken at each end of a request, a task, a resume or a connection during a drain, which waits on it.
    ///
    /// It has no thread: a semaphore of libdispatch would wait by the time of day, which may be set during a drain.
    private let ends: EventLoop

    /// `descriptors` are those of the event loop.
    init(
        configuration: Server.Configuration,
        responder: any Responder,
        logger: Logger,
        descriptors: PollSet
    ) throws(ServerError) {
        guard let ends = EventLoop() else { throw .cannotStart(reason: "no descriptor left for the drain") }
        self.ends = ends
        self.configuration = configuration
        self.responder = responder
        self.logger = logger
        limits = ConnectionLimits(configuration)
        connections = try Connections(readTimeout: configuration.requestTimeout)
        lingering = LingeringClose(descriptors: descriptors)
    }

    // MARK: Ends

    /// Reports the end of a request, a task, a resume or a connection, after it was counted, to a drain.
    ///
    /// An end is counted before it looks for a drain, and the drain begins before it looks at the counts, all sequentially
    /// consistent: one of the two sees the other. Without a drain an end costs one load.
    func reportEnd() {
        if isDraining.load(ordering: .sequentiallyConsistent) { ends.wakeUp() }
    }

    /// Waits for ends during a drain, until every request has been answered and every task has returned.
    func waitUntilQuiet(until deadline: Instant) {
        while !isQuiet, .now < deadline { _ = ends.wait(until: deadline) }
    }

    /// Waits for ends during a drain, until every connection is closed; those on which nothing arrives are closed soon.
    ///
    /// To stop the daemon at the first quiet moment would drop a request that arrives then, possibly after it was served.
    func waitUntilClosed(until deadline: Instant) {
        var next = Instant.now
        while limits.open > 0 || !isQuiet, .now < deadline {
            // Not after each end: it looks at all connections, under the lock that ends need.
            if .now >= next {
                connections.endIdle()
                next = .now + Connection.leastSilence / 2
            }
            _ = ends.wait(until: min(deadline, next))
        }
    }

    private var isQuiet: Bool {
        counters.activeRequests.load(ordering: .sequentiallyConsistent) == 0
            && suspended.running.load(ordering: .sequentiallyConsistent) == 0
    }

    /// Waits for ends during a drain, until no thread is about to resume a connection.
    func waitUntilSettled() {
        while !suspended.isSettled { _ = ends.wait(until: .never) }
    }

    /// Resumes a connection after `SuspendedExchanges.willResume`.
    func resume(_ connection: ConnectionHandle) {
        suspended.resume(connection)
        reportEnd()
    }

    // MARK: The state

    /// The counters since the start and the current state.
    var statistics: Server.Statistics {
        var statistics = counters.snapshot()
        statistics.openConnections = limits.open
        statistics.reservedConnections = limits.reserved
        statistics.waiting = suspended.all.count
        return statistics
    }

    /// Checks deadlines and departures; called on the event loop's thread several times a second.
    func tick(_ now: Instant, isHeartbeat: Bool) {
        connections.expire(at: now)
        for number in connections.endReading() { suspended.exchange(connection: number)?.clientLeft() }
        lingering.expire(at: now)
        checkReaders(at: now)
        // All streams together: a resume makes the worker scan all suspended connections, and a hundred resumes before
        // that scan cost only one.
        for exchange in suspended.all {
            exchange.tick(now)
            if isHeartbeat { exchange.heartbeat() }
        }
    }

    private func checkReaders(at now: Instant) {
        let isDue = nextCheck.withLock { next in
            guard next <= now else { return false }
            next = now + Connections.checkInterval
            return true
        }
        if isDue { connections.endStalledReaders(at: now, lacking: configuration.memory.takeLacking()) }
    }

    /// Gives free memory of the allocator back to the system if there is much more of it than after the last time
    /// (malloc_trim(3)).
    ///
    /// glibc gives back only what is free at the end of the heap: after 400 unfinished contents, or the end of many sessions, the
    /// process kept tens of megabytes for good. Trimming takes milliseconds and blocks allocations, so it is for peaks, and
    /// called every ten seconds. Memory that was given back counts as free until it is used again.
    func trimHeap() {
        let free = mallinfo2().fordblks
        let isPeak = freeBytes.withLock { last in
            let isPeak = free >= last + 8 << 20
            if isPeak || free < last { last = free }
            return isPeak
        }
        if isPeak { malloc_trim(0) }
    }

    /// Returns the client that a connection from an address counts for; nil for a trusted proxy, which has no share.
    func limitedClient(at address: IPAddress?) -> ClientKey? {
        guard let address, !configuration.proxies.isTrusted(address) else { return nil }
        return ClientKey(address)
    }
}
