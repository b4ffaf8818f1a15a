import CMicroHTTPD
import Glibc
package import HTTPExchange
package import Logging
import Primitives
import Synchronization

/// An HTTP/1.1 server on GNU libmicrohttpd.
///
/// The library's worker threads poll with epoll and parse. A worker calls the responder and queues the response in the
/// same callback (`Reply.now`), or suspends the connection while other threads produce it. The event loop's thread
/// accepts connections, detects clients that leave, and checks deadlines.
///
///     let server = Server(configuration: .init(host: "127.0.0.1", port: 8080), responder: application, logger: logger)
///     let address = try server.start()
///     …
///     await server.drain()
///
/// A server that was started must be drained before the process ends.
package final class Server: Sendable {
    /// The parts of a running server.
    private struct Running {
        let context: ServerContext
        let daemon: Daemon
        let connectionLoop: ConnectionLoop
    }

    private enum Phase {
        case idle
        case running(Running)
        /// A drain is under way, and these callers wait for its end.
        case draining([CheckedContinuation<Void, Never>])
        case stopped
    }

    package let configuration: Configuration
    private let responder: any Responder
    private let logger: Logger
    private let phase = Lock(Phase.idle)
    /// Kept after the end, so that the counters can be read.
    private let context = Lock<ServerContext?>(nil)

    /// Creates a server that does not run yet; `logger` gets its lines and those of the library.
    package init(configuration: Configuration, responder: any Responder, logger: Logger) {
        self.configuration = configuration
        self.responder = responder
        self.logger = logger
    }

    /// The counters since the start and the current state.
    package var statistics: Statistics { context.withLock { $0 }?.statistics ?? Statistics() }

    // MARK: Start

    /// Starts to accept connections, on threads of the server.
    ///
    /// - Precondition: the server has not been started before.
    package func start() throws(ServerError) -> BoundAddress {
        let listener = try Listener(configuration)
        do throws(ServerError) {
            let running = try run(listener)
            phase.withLock { phase in
                guard case .idle = phase else { preconditionFailure("a server can be started only once") }
                phase = .running(running)
            }
            context.withLock { $0 = running.context }
            return listener.address
        } catch {
            listener.close()
            throw error
        }
    }

    private func run(_ listener: Listener) throws(ServerError) -> Running {
        let connectionLoop = try ConnectionLoop()
        let context = try ServerContext(
            configuration: configuration,
            responder: responder,
            logger: logger,
            descriptors: connectionLoop.descriptors
        )
        let daemon = try Daemon(server: context)
        do throws(ServerError) {
            try connectionLoop.start(acceptor: Acceptor(listener: listener, daemon: daemon, server: context))
        } catch {
            daemon.stop()
            throw error
        }
        return Running(context: context, daemon: daemon, connectionLoop: connectionLoop)
    }

    // MARK: End

    /// Stops the server in order, within the drain deadline and half a second.
    ///
    /// Returns when the server has stopped, also to a second caller; at once if it does not run.
    ///
    /// 1. Calls `Configuration.onDrain`, after which readiness checks fail.
    /// 2. Accepts no more connections; responses close their connections.
    /// 3. Asks streams to send their last event and end.
    /// 4. Waits for running requests, up to the deadline.
    /// 5. Has the library close idle connections, and waits for requests that arrive on the others, up to the deadline.
    /// 6. Cancels the remaining ones and answers them with `Refusal.draining`; ends streams early; resumes every suspended
    ///    connection.
    /// 7. Has the library close the remaining connections.
    ///
    /// The cancellation of the calling task has no effect: the drain runs on its own thread.
    package func drain() async {
        await withCheckedContinuation { continuation in
            let (running, isOver) = phase.withLock { phase -> (Running?, Bool) in
                switch phase {
                case .running(let running):
                    phase = .draining([continuation])
                    return (running, false)
                case .draining(let waiting):
                    phase = .draining(waiting + [continuation])
                    return (nil, false)
                case .idle, .stopped:
                    return (nil, true)
                }
            }
            if isOver { continuation.resume() }
            guard let running else { return }
            // If the system has no thread left, the drain blocks the calling thread.
            guard let thread = SystemThread(named: "drain", { self.end(running) }) else { return end(running) }
            thread.detach()
        }
    }

    /// Performs the steps of the drain; blocks.
    private func end(_ running: Running) {
        let context = running.context
        configuration.onDrain()
        context.isDraining.store(true, ordering: .sequentiallyConsistent)
        running.connectionLoop.stopListening()
        context.suspended.drain()
        let deadline = Instant.now + configuration.drainDeadline
        context.waitUntilQuiet(until: deadline)
        context.waitUntilClosed(until: deadline)
        context.suspended.close()
        context.waitUntilQuiet(until: .now + .milliseconds(400))
        // Without a time-out: another thread is in a resume call, and stopping the daemon before it returns would abort
        // the process.
        context.waitUntilSettled()
        // In this order, because the event loop adds connections to the daemon.
        running.connectionLoop.stop()
        running.daemon.stop()
        // The library closes connections that have not started on a worker without a notification.
        context.limits.reset()

        let waiting = phase.withLock { phase in
            defer { phase = .stopped }
            if case .draining(let waiting) = phase { return waiting } else { return [] }
        }
        for continuation in waiting { continuation.resume() }
    }
}
