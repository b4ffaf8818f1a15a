import CMicroHTTPD
import Glibc
package import HTTPExchange
package import Logging
import Primitives
import ServiceLifecycle
import Synchronization

/// An HTTP/1.1 server on GNU libmicrohttpd.
///
/// A pool of the library's workers polls with epoll and parses; a worker calls the responder and queues its answer in
/// the same callback (`Reply.now`), or puts the connection to sleep while a task makes it (`Reply.later`). One thread of
/// ours accepts, notices clients that leave, and keeps the deadlines.
///
///     let server = Server(configuration: .init(host: "127.0.0.1", port: 8080), responder: application, logger: logger)
///     let address = try server.start()
///     …
///     await server.drain()
///
/// or as a service of a `ServiceGroup`, whose graceful shutdown drains it. A server that was started must be drained
/// before the process ends in good order.
package final class Server: Sendable {
    /// The parts of a server that runs.
    private struct Running {
        let engine: Engine
        let daemon: Daemon
        let lookout: Lookout
    }

    private enum Phase {
        case idle
        case starting
        case running(Running)
        /// A drain is under way; who waits for its end.
        case draining([CheckedContinuation<Void, Never>])
        case stopped
    }

    private let configuration: Configuration
    private let responder: any Responder
    private let logger: Logger
    private let listening: @Sendable (BoundAddress) -> Void
    private let phase = Mutex(Phase.idle)
    /// Outlives the phase, so that the counters can be read to the end.
    private let engine = Mutex<Engine?>(nil)

    /// A server that asks `responder` for every answer and does not run yet.
    ///
    /// `logger` gets its lines and the library's; `listening` is called by `run()` when connections are accepted.
    package init(
        configuration: Configuration,
        responder: any Responder,
        logger: Logger,
        listening: @escaping @Sendable (BoundAddress) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.responder = responder
        self.logger = logger
        self.listening = listening
    }

    /// What it has done so far, and what it is doing.
    package var statistics: Statistics {
        guard let engine = engine.withLock({ $0 }) else { return Statistics() }
        return engine.statistics
    }

    // MARK: Start

    /// Listens and answers, on threads of its own; returns when connections are accepted.
    ///
    /// Once a server.
    package func start() throws(ServerError) -> BoundAddress {
        let isFirst = phase.withLock { phase in
            guard case .idle = phase else { return false }
            phase = .starting
            return true
        }
        guard isFirst else { throw .alreadyStarted }
        do throws(ServerError) {
            let (running, address) = try startParts()
            engine.withLock { $0 = running.engine }
            phase.withLock { $0 = .running(running) }
            return address
        } catch {
            phase.withLock { $0 = .idle }
            throw error
        }
    }

    private func startParts() throws(ServerError) -> (Running, BoundAddress) {
        let listener = try Listener(
            host: configuration.host,
            port: configuration.port,
            backlog: configuration.backlog
        )
        do throws(ServerError) {
            let lookout = try Lookout()
            let engine = Engine(
                configuration: configuration,
                responder: responder,
                logger: logger,
                epoll: lookout.epoll,
                sweep: lookout.sweep
            )
            let daemon = try Daemon(engine: engine)
            do throws(ServerError) {
                try lookout.start(acceptor: Acceptor(listener: listener, daemon: daemon, engine: engine))
            } catch {
                daemon.stop()
                throw error
            }
            return (Running(engine: engine, daemon: daemon, lookout: lookout), listener.address)
        } catch {
            listener.close()
            throw error
        }
    }

    // MARK: End

    /// Ends the server in good order, in at most the drain deadline and half a second.
    ///
    /// Returns when it has ended, also to a second caller; at once when it does not run.
    ///
    /// 1. `Configuration.onDrain`: whoever asks is told that this server is not ready.
    /// 2. No connection is accepted any more; answers close their connections.
    /// 3. Streams are asked to end in their own words.
    /// 4. What is in flight may finish, up to the deadline.
    /// 5. What has not finished is cancelled and answered as `Refusal.draining`; streams end short. Every suspended
    ///    connection is resumed.
    /// 6. The library closes what is left.
    ///
    /// It is not cut short when the calling task is cancelled: a thread of its own does it.
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
                case .idle, .starting, .stopped:
                    return (nil, true)
                }
            }
            if isOver { continuation.resume() }
            guard let running else { return }
            // Without a thread left it blocks the caller's: an end in good order comes first.
            guard let thread = SystemThread({ self.end(running) }) else { return end(running) }
            thread.detach()
        }
    }

    /// Does all of it.
    ///
    /// Blocks.
    private func end(_ running: Running) {
        let engine = running.engine
        configuration.onDrain()
        engine.isDraining.store(true, ordering: .sequentiallyConsistent)
        running.lookout.stopListening()
        engine.waitingRoom.drain()
        Self.wait(atMost: configuration.drainDeadline) { engine.isQuiet }
        engine.waitingRoom.close()
        Self.wait(atMost: .milliseconds(400)) { engine.isQuiet }
        // Not for a limited time: what is awaited is the end of a call that another thread is in, and to stop before it
        // has returned would abort the process.
        while !engine.waitingRoom.isSettled { usleep(1000) }
        // In this order: the lookout adds connections to the daemon.
        running.lookout.stop()
        running.daemon.stop()
        // Those that no worker had begun with are closed by the library without a notification.
        engine.limits.reset()

        let waiting = phase.withLock { phase in
            defer { phase = .stopped }
            if case .draining(let waiting) = phase { return waiting } else { return [] }
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for a condition.
    ///
    /// It is asked for every few milliseconds and not signalled, so that the end of a request costs an atomic
    /// subtraction and nothing more.
    private static func wait(atMost limit: Duration, until isTrue: () -> Bool) {
        let end = MonotonicTime.now + limit
        while !isTrue() && MonotonicTime.now < end { usleep(2000) }
    }
}

extension Server: Service {
    /// Starts, waits for the graceful shutdown of the service group or the end of the task, and drains.
    package func run() async throws {
        let address = try start()
        listening(address)
        // Cancellation is the other way to be told to end, and ends in the same order.
        try? await gracefulShutdown()
        await drain()
    }
}
