import HTTPExchange
import Logging
import Synchronization

/// What the callbacks, the lookout and the drain share.
///
/// One a server; alive until the daemon has stopped.
final class Engine: Sendable {
    let configuration: Server.Configuration
    let responder: any Responder
    let logger: Logger
    let counters = Counters()
    let connections = Connections()
    let waitingRoom = WaitingRoom()
    let watch: DisconnectWatch
    let lingering: LingeringClose
    /// Answers given from now on close their connection.
    let isDraining = Atomic(false)

    init(configuration: Server.Configuration, responder: any Responder, logger: Logger, epoll: Int32) {
        self.configuration = configuration
        self.responder = responder
        self.logger = logger
        watch = DisconnectWatch(epoll: epoll)
        lingering = LingeringClose(epoll: epoll)
    }

    /// Whether every request has been answered and every task has returned.
    var isQuiet: Bool {
        counters.activeRequests.load(ordering: .acquiring) == 0 && waitingRoom.tasks.load(ordering: .acquiring) == 0
    }

    /// Does what is due: called by the lookout, on its thread, several times a second.
    func tick(_ now: MonotonicTime, isHeartbeat: Bool) {
        connections.expire(at: now)
        lingering.expire(at: now)
        // All streams in one go: resuming one makes its worker scan all suspended connections, and a hundred resumed
        // before it gets to that cost one scan.
        for guest in waitingRoom.guests {
            guest.expire(at: now)
            if isHeartbeat { guest.heartbeat() }
        }
    }

    /// Handles a client that has closed its half of a connection, or broken it off.
    func clientLeft(connection number: UInt64) {
        connections.connection(number)?.markGone()
        waitingRoom.guest(connection: number)?.clientLeft()
    }
}
