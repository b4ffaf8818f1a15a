package import Logging
import Network
import Primitives
package import SharedState
import Synchronization

/// A client of a Redis server or of a cluster, with a pipelined connection for commands and one for subscriptions to each.
///
/// Callers put commands into an inbox and wake the thread of the client. All else happens on that thread, in `Cluster`.
/// Without a usable connection a command is refused at once, so no caller waits for an unavailable server.
package final class RedisClient: Sendable {
    /// The reply to a command, or the reason why it has none.
    package typealias Outcome = Result<RedisReply, RedisError>

    enum Message: Sendable {
        case command(CommandQueue.Job)
        case watch(String, number: Int, Channels.Receiver)
        case unwatch(String, number: Int)
        /// The addresses of a host, with the id of the connection.
        case resolved([SocketAddress], id: UInt64)
    }

    private struct State {
        var messages: [Message] = []
        /// When the thread took commands last.
        var lastBatch = Instant(nanoseconds: 0)
        /// Whether the thread waits, or is about to, and has no message.
        var isWaiting = false
        var status = SharedStatus(isAvailable: false, hasConnected: false, since: .now)
        var pendingBytes = 0
        var health = ClusterHealth()
        /// The times at which all keys came to be on usable servers.
        var connections = 0
        var isStopped = false
        var starts: [PendingResult<ConnectionFailure?>] = []
        var lastNumber = 0
    }

    private let configuration: RedisConfiguration
    private let loop: EventLoop
    private let state = Lock(State())
    private let replied: @Sendable (Duration) -> Void

    /// The longest sleep of the thread, which bounds the effect of a missed wake-up.
    private static let longestSleep = Duration.seconds(1)
    /// The weight of one reply in the mean of the latency is 1 to this.
    private static let latencyWeight: Int64 = 16
    /// The time after a batch of commands in which another command waits for the first reply to them.
    ///
    /// Redis runs the commands of a connection one after the other, so it loses little by that, and a batch costs one write
    /// and one read on each side. At 64 connections a POST takes a tenth less CPU with it.
    private static let batchTime = Duration.microseconds(200)
    /// The time after a batch of commands at which those that wait leave at the latest.
    private static let batchDelay = Duration.milliseconds(1)

    /// Starts to connect.
    ///
    /// `replied` gets the time from each command to its reply, on the thread of the client; it must return quickly.
    ///
    /// - Throws: `.tls` if the authorities cannot be used.
    package init(
        _ configuration: RedisConfiguration,
        logger: Logger,
        replied: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(ConnectionFailure) {
        let tls = configuration.urls[0].isEncrypted ? try TLSContext(authorities: configuration.authorities) : nil
        guard let loop = EventLoop() else { throw .unreachable("no descriptor left") }
        self.configuration = configuration
        self.loop = loop
        self.replied = replied
        // The thread retains the client until `stop`.
        guard loop.start(named: "redis", { self.run(tls, logger) }) else { throw .unreachable("no thread left") }
    }

    /// The state of the connections for commands, and counters since the start.
    package var status: SharedStatus { state.withLock { $0.status } }

    var health: ClusterHealth { state.withLock(\.health) }

    /// Waits for the connection until the task is cancelled; returns a failure that only a change of a setting can end.
    package func waitUntilReady() async -> ConnectionFailure? {
        let start = PendingResult<ConnectionFailure?>()
        state.withLock { $0.starts.append(start) }
        endStarts()
        return await start.value(cancelled: .stopped)
    }

    /// Ends the waits for the connection if it is usable, or cannot become so.
    private func endStarts() {
        let (ended, failure) = state.withLock { state in
            let failure = state.isStopped ? .stopped : state.health.isReady ? nil : state.health.failure
            let isOver = state.health.isReady || failure == .stopped || failure?.isPermanent == true
            let ended = isOver ? state.starts : []
            state.starts.removeFirst(ended.count)
            return (ended, failure)
        }
        for start in ended { start.deliver(failure) }
    }

    /// Sends a command; returns its outcome, which is nil if the task that waits for it is cancelled.
    func submit(_ command: RedisCommand) -> PendingResult<Outcome?> {
        let job = CommandQueue.Job(command, submitted: .now)
        let (isAccepted, wakes) = state.withLock { accept(job, &$0) }
        if wakes { loop.wakeUp() }
        if !isAccepted { job.outcome.deliver(.failure(.notReady)) }
        return job.outcome
    }

    /// Sends commands with the same key in one batch: no other one, and no cancellation, comes between them.
    func submit(_ commands: [RedisCommand]) -> [PendingResult<Outcome?>] {
        let jobs = commands.map { CommandQueue.Job($0, submitted: .now) }
        let accepted = state.withLock { state in jobs.map { accept($0, &state).isAccepted } }
        loop.wakeUp()
        for (job, isAccepted) in zip(jobs, accepted) where !isAccepted { job.outcome.deliver(.failure(.notReady)) }
        return jobs.map(\.outcome)
    }

    private func accept(_ job: CommandQueue.Job, _ state: inout State) -> (isAccepted: Bool, wakes: Bool) {
        let bytes = state.pendingBytes + job.size
        guard state.health.isAccepting, !state.isStopped, state.status.pending < configuration.largestPending,
            bytes <= configuration.largestPendingBytes
        else {
            state.status.errors += 1
            return (false, false)
        }
        let waitsForReply = state.status.pending > 0 && job.submitted < state.lastBatch + Self.batchTime
        state.status.pending += 1
        state.status.commands += 1
        state.pendingBytes = bytes
        state.messages.append(.command(job))
        return (true, state.isWaiting && !waitsForReply)
    }

    /// Watches a channel over all reconnects; the returned function ends that.
    ///
    /// `receive` is called on the client's thread, also for an event that comes before the thread has taken note of the end.
    package func watch(_ channel: String, _ receive: @escaping @Sendable (WatchEvent) -> Void) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        post(.watch(channel, number: number, receive))
        return { [self] in post(.unwatch(channel, number: number)) }
    }

    /// Ends all connections and the thread; the commands that wait fail with `connectionLost`.
    ///
    /// Blocks until the thread has ended. It must not be called on that thread.
    package func stop() {
        state.withLock { $0.isStopped = true }
        loop.stop()
    }

    private func post(_ message: Message) {
        state.withLock { state in
            // Without the thread nothing takes it.
            if !state.isStopped { state.messages.append(message) }
        }
        loop.wakeUp()
    }

    // MARK: On the thread

    private func run(_ tls: TLSContext?, _ logger: Logger) {
        let lookUps = LookUps { [self] host, port, id in
            SocketAddress.lookUp(host, port: port) { self.post(.resolved($0, id: id)) }
        }
        let environment = ConnectionEnvironment(
            configuration: configuration,
            tls: tls,
            descriptors: loop.descriptors,
            lookUps: lookUps
        )
        let cluster = Cluster(environment, logger: logger)
        // The callers and the thread exchange two arrays, which keep their memory.
        var messages: [Message] = []
        while let events = loop.wait(until: deadline(of: cluster)) {
            let now = Instant.now
            state.withLock { state in
                state.isWaiting = false
                if !state.messages.isEmpty { state.lastBatch = now }
                swap(&state.messages, &messages)
            }
            let round = cluster.round(events, messages, now: now)
            messages.removeAll(keepingCapacity: true)
            report(round, now: .now)
        }
        let last = cluster.stop()
        for case .command(let job) in state.withLock({ $0.messages }) {
            last.ended.append(CommandQueue.Ended(job: job, outcome: .failure(.connectionLost)))
        }
        report(last, now: .now)
    }

    /// The time of the next round, which is now if a message came during the last one: that was without a wake-up.
    private func deadline(of cluster: Cluster) -> Instant {
        let now = Instant.now
        let (isWaiting, batchEnd) = state.withLock { state in
            state.isWaiting = state.messages.isEmpty
            return (state.isWaiting, state.status.pending > 0 ? state.lastBatch + Self.batchDelay : now)
        }
        guard isWaiting else { return now }
        return cluster.deadline(atMost: batchEnd > now ? batchEnd : now + Self.longestSleep)
    }

    /// Answers the callers, after the limits and the state are up to date.
    private func report(_ round: Round, now: Instant) {
        state.withLock { state in
            for ended in round.ended { Self.record(ended, in: &state, now: now) }
            if let health = round.health { Self.record(health, in: &state, now: now) }
        }
        if round.health != nil { endStarts() }
        for ended in round.ended {
            if ended.hasReply { replied(now - ended.job.submitted) }
            ended.job.outcome.deliver(ended.outcome)
        }
        for delivery in round.deliveries { delivery.receive(delivery.event) }
        round.forget()
    }

    private static func record(_ ended: CommandQueue.Ended, in state: inout State, now: Instant) {
        state.status.pending -= 1
        state.pendingBytes -= ended.job.size
        if case .failure = ended.outcome { state.status.errors += 1 }
        guard ended.hasReply else { return }
        let time = now - ended.job.submitted
        let mean = (state.status.latency ?? time).wholeNanoseconds
        state.status.latency = .nanoseconds(mean + (time.wholeNanoseconds - mean) / latencyWeight)
    }

    private static func record(_ health: ClusterHealth, in state: inout State, now: Instant) {
        if health.isReady != state.health.isReady {
            state.status.since = now
            if health.isReady { state.connections += 1 }
            state.status.reconnects = max(0, state.connections - 1)
        }
        state.status.isAvailable = health.isReady
        state.status.hasConnected = state.status.hasConnected || health.isAccepting
        state.health = health
    }
}
