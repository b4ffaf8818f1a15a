import Primitives

/// The commands that were sent on a connection, in the order of their replies.
///
/// A command that times out fails at once. Its entry stays in the queue until its reply arrives or the connection is
/// lost.
///
/// Only the thread of the loop uses it.
final class CommandQueue: ConnectionTraffic {
    /// A command and its caller.
    struct Job: Sendable {
        let command: RedisCommand
        let submitted: Instant
        /// The share of the command in the limits of the client, which it keeps on its way through several servers.
        let size: Int
        /// The number of servers that have sent the command on.
        var redirections = 0
        /// Whether the server runs the command although the slot of its key is still on another one.
        var isAsking = false
        let completion: RedisClient.Completion

        init(_ command: RedisCommand, submitted: Instant, completion: @escaping RedisClient.Completion) {
            self.command = command
            self.submitted = submitted
            self.completion = completion
            size = command.bytes.count
        }

        /// The same job with another encoding of the command.
        fileprivate init(_ job: Job, encoded bytes: [UInt8]) {
            command = RedisCommand(encoded: bytes, slot: job.command.slot)
            (submitted, size, completion) = (job.submitted, job.size, job.completion)
            (redirections, isAsking) = (job.redirections, job.isAsking)
        }
    }

    /// A command that ended.
    struct Ended {
        let job: Job
        let result: Result<RedisReply, RedisError>

        /// Whether the server replied; a command without a reply does not count for the latency.
        var hasReply: Bool {
            switch result {
            case .success, .failure(.refused): true
            case .failure: false
            }
        }
    }

    private struct Slot {
        /// Nil for a command of the client itself, and for one that was answered before its reply.
        var job: Job?
        /// The share of the command in the limits, which counts until the reply; nil for commands of the client itself.
        var size: Int?
        /// Whether the reply is a map of the slots.
        var isMap = false
    }

    /// The events since the last `takeProgress`.
    struct Progress {
        var ended: [Ended] = []
        /// The commands, and their bytes, that no longer count for the limits.
        var released = 0
        var releasedBytes = 0
        /// The facts of a connection that became usable.
        var opened: ServerFacts?
        var failure: ConnectionFailure?
        /// The commands that another server has to run.
        var redirected: [(job: Job, to: Redirection)] = []
        /// The reply to a request for the map of the slots.
        var map: RedisReply?
        /// Whether a reply shows that the map may be old.
        var needsMap = false
    }

    private let timeout: Duration
    /// The host of the server.
    let host: String
    private var isCluster = false
    private var slots = FIFO<Slot>()
    /// The number of slots at the front for which no caller waits.
    private var answered = 0
    private var progress = Progress()

    init(timeout: Duration, host: String = "") {
        self.timeout = timeout
        self.host = host
    }

    var isOwed: Bool { !slots.isEmpty }

    /// The time at which `expire` must be called; nil if no command waits.
    var deadline: Instant? { slots[answered]?.job.map { $0.submitted + timeout } }

    /// Appends a command to the output.
    func add(_ job: Job, _ output: inout OutputBuffer) {
        send(job, job.command.bytes, &output)
    }

    /// Asks for the map of the slots.
    func askForMap(_ output: inout OutputBuffer) {
        output.append(RedisCommand("CLUSTER", "SLOTS").bytes)
        slots.append(Slot(isMap: true))
    }

    private func send(_ job: Job, _ bytes: [UInt8], _ output: inout OutputBuffer) {
        if job.isAsking {
            output.append(RedisCommand("ASKING").bytes)
            slots.append(Slot())
        }
        output.append(bytes)
        slots.append(Slot(job: job, size: job.size))
    }

    /// Refuses a command that cannot be sent.
    func refuse(_ job: Job, _ error: RedisError) {
        progress.ended.append(Ended(job: job, result: .failure(error)))
        progress.released += 1
        progress.releasedBytes += job.size
    }

    /// Ends the commands that have reached their time-out, with the error `timedOut`.
    func expire(now: Instant) {
        while let slot = slots[answered] {
            if let job = slot.job {
                guard job.submitted + timeout <= now else { return }
                slots[answered]?.job = nil
                progress.ended.append(Ended(job: job, result: .failure(.timedOut)))
            }
            answered += 1
        }
    }

    func takeProgress() -> Progress {
        defer { progress = Progress() }
        return progress
    }

    // MARK: ConnectionTraffic

    func opened(_ facts: ServerFacts, _ output: inout OutputBuffer) {
        isCluster = facts.isCluster
        progress.opened = facts
        progress.failure = nil
    }

    func ping(_ output: inout OutputBuffer) {
        output.append(RedisCommand("PING").bytes)
        slots.append(Slot())
    }

    func take(_ reply: RedisReply, _ output: inout OutputBuffer, now: Instant) -> ConnectionFailure? {
        guard let slot = slots.popFirst() else { return .malformed("a reply without a command") }
        answered = max(0, answered - 1)
        if slot.isMap {
            progress.map = reply
            return nil
        }
        guard case .error(let fault) = reply else {
            release(slot)
            if let job = slot.job { progress.ended.append(Ended(job: job, result: .success(reply))) }
            return nil
        }
        if let job = slot.job, fault.code == "NOSCRIPT", let source = job.command.withSource {
            // It is sent again only once, because EVAL never replies NOSCRIPT.
            send(Job(job, encoded: source), source, &output)
            return nil
        }
        if let redirection = Redirection(fault, from: host) {
            progress.needsMap = true
            guard var job = slot.job else {
                release(slot)
                return nil
            }
            // The command still counts towards the limits.
            job.redirections += 1
            progress.redirected.append((job, redirection))
            return nil
        }
        release(slot)
        let isUnusable = fault.isNotReady || fault.isClusterFault
        progress.needsMap = progress.needsMap || isUnusable
        if let job = slot.job {
            progress.ended.append(Ended(job: job, result: .failure(isUnusable ? .notReady : .refused(fault))))
        }
        return fault.isNotReady && !(isCluster && fault.isClusterFault) ? .notReady(fault) : nil
    }

    func closed(_ failure: ConnectionFailure) {
        progress.failure = failure
        progress.opened = nil
        while let slot = slots.popFirst() {
            release(slot)
            if let job = slot.job { progress.ended.append(Ended(job: job, result: .failure(.connectionLost))) }
        }
        answered = 0
    }

    private func release(_ slot: Slot) {
        guard let size = slot.size else { return }
        progress.released += 1
        progress.releasedBytes += size
    }
}
