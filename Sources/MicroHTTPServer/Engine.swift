import CMicroHTTPD
import Glibc
import HTTPExchange
import Logging
import Primitives
import Synchronization

/// What the callbacks, the lookout and the drain share.
///
/// One a server; alive until the daemon has stopped.
final class Engine: Sendable {
    let configuration: Server.Configuration
    let responder: any Responder
    let logger: Logger
    /// What content being received and answers waiting to be sent are charged to.
    let memory: ClientMemory
    let counters = Counters()
    let limits: ConnectionLimits
    /// The descriptors of connections that were admitted to the reserve and have not started on a worker.
    let reserved = ReservedDescriptors()
    let connections = Connections()
    let waitingRoom = WaitingRoom()
    let watch: DisconnectWatch
    let lingering: LingeringClose
    /// Answers given from now on close their connection.
    let isDraining = Atomic(false)

    /// The parts of a server that watches its connections through the epoll sets `epoll` (the lookout's) and `sweep`,
    /// see `DisconnectWatch`.
    init(
        configuration: Server.Configuration,
        responder: any Responder,
        logger: Logger,
        epoll: Int32,
        sweep: Int32
    ) {
        self.configuration = configuration
        memory = ClientMemory(configuration.memory)
        limits = ConnectionLimits(configuration)
        self.responder = responder
        self.logger = logger
        watch = DisconnectWatch(epoll: epoll, sweep: sweep)
        lingering = LingeringClose(epoll: epoll)
    }

    /// Whether every request has been answered and every task has returned.
    var isQuiet: Bool {
        counters.activeRequests.load(ordering: .acquiring) == 0 && waitingRoom.tasks.load(ordering: .acquiring) == 0
    }

    /// What has been done so far, and what is being done.
    var statistics: Server.Statistics {
        var statistics = counters.snapshot()
        statistics.openConnections = limits.open
        statistics.reservedConnections = limits.reserved
        statistics.waiting = waitingRoom.count
        return statistics
    }

    /// Does what is due: called by the lookout, on its thread, several times a second.
    func tick(_ now: MonotonicTime, isHeartbeat: Bool) {
        connections.expire(at: now)
        connections.endReading(watch.ended())
        lingering.expire(at: now)
        // All streams in one go: resuming one makes its worker scan all suspended connections, and a hundred resumed
        // before it gets to that cost one scan.
        for guest in waitingRoom.guests {
            guest.tick(now)
            if isHeartbeat { guest.heartbeat() }
        }
    }

    /// What a peer's connections count against in the shares of clients; nil for a peer that is not limited.
    func client(at peer: UnsafePointer<sockaddr>) -> ClientKey? {
        guard configuration.maxConnectionsPerClient > 0 || configuration.reservedConnections > 0,
            let address = SocketAddress.address(of: peer),
            !configuration.unlimitedPeers.contains(where: { $0.contains(address) })
        else { return nil }
        return ClientKey(address)
    }

    /// Handles a client that has closed its half of a connection, or broken it off.
    func clientLeft(connection number: UInt64) {
        connections.connection(number)?.markGone()
        waitingRoom.guest(connection: number)?.clientLeft()
    }
}
