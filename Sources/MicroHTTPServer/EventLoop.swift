import CMicroHTTPD
import Glibc
import Primitives
import Synchronization

/// The server's own thread beside the library's workers: it accepts connections, detects clients that leave, and checks
/// deadlines.
///
/// Connections and departures are events of one epoll set; deadlines are checked several times a second. Each step is
/// short and never blocks.
final class EventLoop: Sendable {
    /// The epoll set; `DisconnectMonitor` adds connections to it.
    let epoll: Int32
    /// The second epoll set of `DisconnectMonitor`, which is read at every tick.
    let sweep: Int32
    /// An eventfd that interrupts the wait.
    private let interrupt: Int32
    private let commands = Mutex(Commands())
    private let thread = Mutex<SystemThread?>(nil)

    /// The commands for the thread.
    private struct Commands {
        var listens = true
        var ends = false
    }

    /// Values of an event's data; every other value is a connection's number, from 1 on.
    private enum Mark {
        static let interrupt = UInt64.max
        static let listener = UInt64.max - 1
    }

    init() throws(ServerError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        sweep = epoll_create1(Int32(EPOLL_CLOEXEC))
        interrupt = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard epoll >= 0, sweep >= 0, interrupt >= 0 else {
            throw .cannotStart(reason: "no descriptor left for the event loop")
        }
        add(interrupt, mark: Mark.interrupt)
    }

    deinit {
        close(epoll)
        close(sweep)
        close(interrupt)
    }

    /// Starts the thread.
    func start(acceptor: Acceptor) throws(ServerError) {
        let configuration = acceptor.server.configuration
        // A deadline or a heartbeat is late by at most a small part of itself.
        let tick = min(configuration.requestTimeout / 20, configuration.heartbeatInterval / 4, .milliseconds(250))
        let work = Work(
            acceptor: acceptor,
            tick: max(tick, .milliseconds(5)),
            heartbeat: configuration.heartbeatInterval
        )
        guard let started = SystemThread(named: "event loop", { self.run(work) }) else {
            throw .cannotStart(reason: "no thread left")
        }
        thread.withLock { $0 = started }
    }

    /// Has the thread close the listener; does not wait for it.
    func stopListening() {
        commands.withLock { $0.listens = false }
        wakeUp()
    }

    /// Ends the thread and waits for it.
    ///
    /// Blocks.
    func stop() {
        commands.withLock {
            $0.listens = false
            $0.ends = true
        }
        wakeUp()
        thread.withLock { $0.take() }?.join()
    }

    private func wakeUp() {
        var one: UInt64 = 1
        write(interrupt, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: On the thread

    /// The parts and intervals that the thread works with.
    private struct Work: Sendable {
        let acceptor: Acceptor
        let tick: Duration
        let heartbeat: Duration
    }

    private func run(_ work: Work) {
        let server = work.acceptor.server
        var listener = Optional(work.acceptor.listener.descriptor)
        var isListenerRemoved = false
        var nextTick = MonotonicTime.now + work.tick
        var nextHeartbeat = MonotonicTime.now + work.heartbeat
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        if let listener { add(listener, mark: Mark.listener) }

        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), milliseconds(until: nextTick))
            let now = MonotonicTime.now
            let (listens, ends) = commands.withLock { ($0.listens, $0.ends) }
            if !listens, let open = listener.take() { close(open) }
            if ends { return }
            for event in events.prefix(Int(max(0, count))) {
                switch event.data.u64 {
                case Mark.interrupt:
                    var count: UInt64 = 0
                    read(interrupt, &count, MemoryLayout<UInt64>.size)
                case Mark.listener:
                    guard let open = listener, work.acceptor.acceptSome() == .exhausted else { continue }
                    // Level triggered: while a client waits and no descriptor is free, every wait would return at once.
                    remove(open)
                    isListenerRemoved = true
                case let data where server.lingering.handle(data):
                    continue
                case let number:
                    server.clientLeft(connection: number)
                }
            }
            guard now >= nextTick else { continue }
            nextTick = now + work.tick
            if isListenerRemoved, let listener { add(listener, mark: Mark.listener) }
            isListenerRemoved = false
            let isHeartbeat = now >= nextHeartbeat
            if isHeartbeat { nextHeartbeat = now + work.heartbeat }
            server.tick(now, isHeartbeat: isHeartbeat)
            let hasStreamEndedEarly = server.hasStreamEndedEarly.exchange(false, ordering: .acquiring)
            if hasStreamEndedEarly || server.limits.open >= WorkerWakeUp.leastConnections {
                WorkerWakeUp(work.acceptor.daemon).wakeAll()
            }
        }
    }

    private func milliseconds(until time: MonotonicTime) -> Int32 {
        let now = MonotonicTime.now
        guard time > now else { return 0 }
        return Int32(clamping: (time.nanoseconds - now.nanoseconds) / 1_000_000 + 1)
    }

    private func add(_ descriptor: Int32, mark: UInt64) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: mark))
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    private func remove(_ descriptor: Int32) {
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
    }
}
