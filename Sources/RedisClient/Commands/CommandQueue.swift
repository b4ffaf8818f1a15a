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
        let completion: RedisClient.Completion
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
        /// Nil for a PING, and for a command that was answered before its reply.
        var job: Job?
        /// The share of the command in the limits; it counts until the reply.
        let bytes: Int
        /// False for PING and for a script that is sent with its source.
        let isCounted: Bool
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
    }

    private let timeout: Duration
    private var slots = FIFO<Slot>()
    /// The number of slots at the front for which no caller waits.
    private var answered = 0
    private var progress = Progress()

    init(timeout: Duration) {
        self.timeout = timeout
    }

    var isOwed: Bool { !slots.isEmpty }

    /// The time at which `expire` must be called; nil if no command waits.
    var deadline: Instant? { slots[answered]?.job.map { $0.submitted + timeout } }

    /// Appends a command to the output.
    func add(_ job: Job, _ output: inout OutputBuffer) {
        output.append(job.command.bytes)
        slots.append(Slot(job: job, bytes: job.command.bytes.count, isCounted: true))
    }

    /// Refuses a command that cannot be sent.
    func refuse(_ job: Job, _ error: RedisError) {
        progress.ended.append(Ended(job: job, result: .failure(error)))
        progress.released += 1
        progress.releasedBytes += job.command.bytes.count
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
        progress.opened = facts
        progress.failure = nil
    }

    func ping(_ output: inout OutputBuffer) {
        output.append(RedisCommand("PING").bytes)
        slots.append(Slot(job: nil, bytes: 0, isCounted: false))
    }

    func take(_ reply: RedisReply, _ output: inout OutputBuffer, now: Instant) -> ConnectionFailure? {
        guard let slot = slots.popFirst() else { return .malformed("a reply without a command") }
        answered = max(0, answered - 1)
        if case .error(let fault) = reply, fault.code == "NOSCRIPT", let job = slot.job,
            let source = job.command.withSource
        {
            // The command still counts towards the limits with its first size. It is sent again only once, because
            // EVAL never replies NOSCRIPT.
            output.append(source)
            let command = RedisCommand(encoded: source)
            let again = Job(command: command, submitted: job.submitted, completion: job.completion)
            slots.append(Slot(job: again, bytes: slot.bytes, isCounted: slot.isCounted))
            return nil
        }
        if slot.isCounted { release(slot) }
        guard case .error(let fault) = reply else {
            if let job = slot.job { progress.ended.append(Ended(job: job, result: .success(reply))) }
            return nil
        }
        if let job = slot.job {
            let error = fault.isNotReady ? RedisError.notReady : .refused(fault)
            progress.ended.append(Ended(job: job, result: .failure(error)))
        }
        return fault.isNotReady ? .notReady(fault) : nil
    }

    func closed(_ failure: ConnectionFailure) {
        progress.failure = failure
        progress.opened = nil
        while let slot = slots.popFirst() {
            if slot.isCounted { release(slot) }
            if let job = slot.job { progress.ended.append(Ended(job: job, result: .failure(.connectionLost))) }
        }
        answered = 0
    }

    private func release(_ slot: Slot) {
        progress.released += 1
        progress.releasedBytes += slot.bytes
    }
}
