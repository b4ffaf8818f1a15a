import Primitives
import Synchronization

/// The part of a client that callers and the thread of its loop share, under one lock.
final class ClientInbox: Sendable {
    typealias Job = CommandQueue.Job

    /// Work for the thread.
    struct Work {
        var jobs: [Job] = []
        var changes: [SubscriptionTable.Change] = []
        /// Addresses of the host, with the mark of the connection.
        var lookups: [(mark: UInt64, addresses: [SocketAddress])] = []
        var isStopped = false
    }

    private struct State {
        var work = Work()
        /// Whether the thread was woken for the work.
        var isSignalled = false
        var isStopped = false
        var pendingBytes = 0
        /// Whether a server is usable.
        var isAccepting = false
        var status: RedisStatus
        /// The callers that wait for the first connection.
        var waiting: [PendingStart] = []
    }

    typealias PendingStart = @Sendable (ConnectionFailure?) -> Void

    private let state: Mutex<State>
    private let configuration: RedisConfiguration
    private let loop: EventLoop

    init(_ configuration: RedisConfiguration, loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
        state = Mutex(State(status: RedisStatus(isReady: false, since: .now)))
    }

    var status: RedisStatus { state.withLock { $0.status } }

    // MARK: For callers

    /// Queues a command, or returns the reason why it is refused.
    func add(_ job: Job) -> RedisError? {
        let (error, mustWake) = state.withLock { state -> (RedisError?, Bool) in
            guard state.isAccepting, !state.isStopped else {
                state.status.errors += 1
                return (.notReady, false)
            }
            let bytes = state.pendingBytes + job.size
            guard state.status.pending < configuration.largestPending, bytes <= configuration.largestPendingBytes else {
                state.status.errors += 1
                return (.overloaded, false)
            }
            state.status.pending += 1
            state.status.commands += 1
            state.pendingBytes = bytes
            state.work.jobs.append(job)
            return (nil, Self.signal(&state))
        }
        if mustWake { loop.wakeUp() }
        return error
    }

    func add(_ change: SubscriptionTable.Change) {
        put { $0.work.changes.append(change) }
    }

    func add(_ addresses: [SocketAddress], mark: UInt64) {
        put { $0.work.lookups.append((mark, addresses)) }
    }

    func stop() {
        put {
            $0.isStopped = true
            $0.work.isStopped = true
        }
    }

    /// Calls `done` when the connection is usable, or after a failure that needs a change of a setting.
    func whenStarted(_ done: @escaping PendingStart) {
        let result = state.withLock { state -> ConnectionFailure?? in
            if state.isStopped { return .some(.stopped) }
            if state.status.isReady { return .some(nil) }
            if let failure = state.status.failure, failure.isPermanent { return failure }
            state.waiting.append(done)
            return nil
        }
        if let result { done(result) }
    }

    private func put(_ change: (inout State) -> Void) {
        let mustWake = state.withLock { state in
            change(&state)
            return Self.signal(&state)
        }
        if mustWake { loop.wakeUp() }
    }

    private static func signal(_ state: inout State) -> Bool {
        defer { state.isSignalled = true }
        return !state.isSignalled
    }

    // MARK: For the thread

    func takeWork() -> Work {
        state.withLock { state in
            defer { state.work = Work() }
            state.isSignalled = false
            return state.work
        }
    }

    /// Records the events of a turn; returns the callers that waited for the connection, and the failure that they get.
    func record(_ turn: ClientTurn, now: Instant) -> (waiting: [PendingStart], ConnectionFailure?) {
        state.withLock { state in
            state.status.pending -= turn.released
            state.pendingBytes -= turn.releasedBytes
            for ended in turn.ended { state.status.note(ended, now: now) }
            guard let health = turn.health else { return ([], nil) }
            state.isAccepting = health.isAccepting
            state.status.note(health)
            guard health.isReady || health.failure?.isPermanent == true || health.failure == .stopped else {
                return ([], nil)
            }
            defer { state.waiting = [] }
            return (state.waiting, health.isReady ? nil : health.failure)
        }
    }
}

/// The events of a turn of the loop.
struct ClientTurn {
    var ended: [CommandQueue.Ended] = []
    /// The commands, and their bytes, that no longer count for the limits.
    var released = 0
    var releasedBytes = 0
    /// The facts of the servers that became usable.
    var opened: [ServerFacts] = []
    /// The state of the connections, if it may have changed.
    var health: ClientHealth?
}

/// The state of the connections of a client.
struct ClientHealth: Equatable {
    /// Whether all keys are on usable servers.
    var isReady: Bool
    /// Whether some are.
    var isAccepting: Bool
    /// The failure of a server that is not usable.
    var failure: ConnectionFailure?
}
