import Glibc
import Network
import Primitives
import Synchronization

/// The server's own thread beside the library's workers: it accepts connections, detects clients that leave, and checks
/// deadlines.
///
/// Waiting connections are events of its epoll set; the rest is checked several times a second. Each step is short and
/// never blocks.
final class ConnectionLoop: Sendable {
    private let loop: EventLoop
    private let isListening = Atomic(true)

    /// The id of the listener; other ids are the descriptors of `LingeringClose`.
    private static let listenerID = UInt64.max - 1

    init() throws(ServerError) {
        guard let loop = EventLoop() else { throw .cannotStart(reason: "no descriptor left for the event loop") }
        self.loop = loop
    }

    /// The descriptors that the thread waits for; `LingeringClose` adds its own.
    var descriptors: PollSet { loop.descriptors }

    /// Starts the thread.
    func start(acceptor: Acceptor) throws(ServerError) {
        guard loop.start(named: "event loop", { self.run(acceptor) }) else {
            throw .cannotStart(reason: "no thread left")
        }
    }

    /// Has the thread close the listener; does not wait for it.
    func stopListening() {
        isListening.store(false, ordering: .releasing)
        loop.wakeUp()
    }

    /// Ends the thread, which closes the listener, and waits for it.
    func stop() {
        loop.stop()
    }

    // MARK: On the thread

    private func run(_ acceptor: Acceptor) {
        let server = acceptor.server
        let heartbeat = server.configuration.heartbeatInterval
        // A deadline or a heartbeat is late by at most a small part of itself. A client that left is detected within 150 ms:
        // the work for it ends within 300 ms after the last client left, and may wait 100 ms of them for another one.
        let shortest = min(server.configuration.requestTimeout / 20, heartbeat / 4, .milliseconds(150))
        let tick = max(shortest, .milliseconds(5))
        var listener = Optional(acceptor.listener.descriptor)
        var isListenerRemoved = true
        var nextTick = Instant.now
        var nextHeartbeat = Instant.now + heartbeat
        var nextTrim = Instant.now

        while let events = loop.wait(until: nextTick) {
            let now = Instant.now
            if !isListening.load(ordering: .acquiring), let open = listener.take() { close(open) }
            for event in events {
                guard event.id == Self.listenerID else {
                    server.lingering.read(Int32(truncatingIfNeeded: event.id))
                    continue
                }
                guard let open = listener, !acceptor.acceptSome() else { continue }
                // Level triggered: while a client waits and no descriptor is free, every wait would return at once.
                descriptors.remove(open)
                isListenerRemoved = true
            }
            guard now >= nextTick else { continue }
            nextTick = now + tick
            if isListenerRemoved, let listener { descriptors.add(listener, id: Self.listenerID, .read) }
            isListenerRemoved = false
            let isHeartbeat = now >= nextHeartbeat
            if isHeartbeat { nextHeartbeat = now + heartbeat }
            server.tick(now, isHeartbeat: isHeartbeat)
            if now >= nextTrim {
                nextTrim = now + .seconds(10)
                server.trimHeap()
            }
            let hasStreamEndedEarly = server.hasStreamEndedEarly.exchange(false, ordering: .acquiring)
            if hasStreamEndedEarly || server.limits.open >= Daemon.leastConnectionsToWake {
                acceptor.daemon.wakeWorkers()
            }
        }
        if let open = listener.take() { close(open) }
    }
}
