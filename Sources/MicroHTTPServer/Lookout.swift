import CMicroHTTPD
import Glibc
import Primitives
import Synchronization

/// The one thread of ours beside the library's workers: it accepts connections, sees clients leave, and keeps time.
///
/// All three are events of one epoll set, and between them it wakes several times a second for deadlines. What it does
/// is short and never blocks, so that nothing waits behind it.
final class Lookout: Sendable {
    /// The set, which `DisconnectWatch` adds to.
    let epoll: Int32
    /// The other set of `DisconnectWatch`, which is looked at with every tick.
    let sweep: Int32
    /// An eventfd that interrupts the wait.
    private let bell: Int32
    /// What the thread is to do about its listener, and whether it is to end.
    private let orders = Mutex(Orders())
    private let thread = Mutex<SystemThread?>(nil)

    private struct Orders {
        var listens = true
        var ends = false
    }

    /// What the data of an event means; every other value is a connection's number, and those begin at 1.
    private enum Mark {
        static let bell = UInt64.max
        static let listener = UInt64.max - 1
    }

    init() throws(ServerError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        sweep = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard epoll >= 0, sweep >= 0, bell >= 0 else { throw .cannotStart(reason: "no descriptor for the lookout") }
        add(bell, mark: Mark.bell)
    }

    deinit {
        close(epoll)
        close(sweep)
        close(bell)
    }

    /// Starts the thread.
    func start(acceptor: Acceptor) throws(ServerError) {
        let configuration = acceptor.engine.configuration
        // Often enough that a deadline or a heartbeat is late by a small part of itself.
        let tick = min(configuration.requestTimeout / 20, configuration.heartbeatInterval / 4, .milliseconds(250))
        let round = Round(
            acceptor: acceptor,
            tick: max(tick, .milliseconds(5)),
            heartbeat: configuration.heartbeatInterval
        )
        guard let started = SystemThread({ self.run(round) }) else { throw .cannotStart(reason: "no thread left") }
        thread.withLock { $0 = started }
    }

    /// Closes the listener, soon.
    func stopListening() {
        orders.withLock { $0.listens = false }
        ring()
    }

    /// Ends the thread and waits for it.
    ///
    /// Blocks.
    func stop() {
        orders.withLock {
            $0.listens = false
            $0.ends = true
        }
        ring()
        thread.withLock { $0.take() }?.join()
    }

    private func ring() {
        var one: UInt64 = 1
        write(bell, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: The thread

    /// What one thread works with.
    private struct Round: Sendable {
        let acceptor: Acceptor
        let tick: Duration
        let heartbeat: Duration
    }

    private func run(_ round: Round) {
        let engine = round.acceptor.engine
        var listener = Optional(round.acceptor.listener.descriptor)
        var isResting = false
        var nextTick = MonotonicTime.now + round.tick
        var nextHeartbeat = MonotonicTime.now + round.heartbeat
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        if let listener { add(listener, mark: Mark.listener) }

        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), milliseconds(until: nextTick))
            let now = MonotonicTime.now
            let (listens, ends) = orders.withLock { ($0.listens, $0.ends) }
            if !listens, let open = listener.take() { close(open) }
            if ends { return }
            for event in events.prefix(Int(max(0, count))) {
                switch event.data.u64 {
                case Mark.bell:
                    var rings: UInt64 = 0
                    read(bell, &rings, MemoryLayout<UInt64>.size)
                case Mark.listener:
                    guard let open = listener, round.acceptor.acceptSome() == .exhausted else { continue }
                    // Level triggered: as long as somebody waits and no descriptor is free, every wait would return.
                    remove(open)
                    isResting = true
                case let data where engine.lingering.handle(data):
                    continue
                case let number:
                    engine.clientLeft(connection: number)
                }
            }
            guard now >= nextTick else { continue }
            nextTick = now + round.tick
            if isResting, let listener { add(listener, mark: Mark.listener) }
            isResting = false
            let isHeartbeat = now >= nextHeartbeat
            if isHeartbeat { nextHeartbeat = now + round.heartbeat }
            engine.tick(now, isHeartbeat: isHeartbeat)
            let open = engine.limits.open
            if open >= Nudge.leastConnections { Nudge(round.acceptor.daemon).wakeAll() }
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
