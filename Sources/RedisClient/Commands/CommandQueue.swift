import Primitives

/// The commands that were sent on a connection, in the order of their replies.
///
/// Only the thread of the loop uses it.
final class CommandQueue: ConnectionTraffic {
    /// A command and its caller.
    struct Job: Sendable {
        private(set) var command: RedisCommand
        let submitted: Instant
        /// The share of the command in the limits of the client.
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

        /// Has the command send the source of its script; returns false if it does so already, or has none.
        fileprivate mutating func sendSource() -> Bool {
            guard let command = command.withSource else { return false }
            self.command = command
            return true
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
        /// The time from which the time for the reply counts.
        let start: Instant
        /// Nil for a command of the client itself.
        var job: Job?
        /// Whether the reply is a map of the slots.
        var isMap = false
    }

    /// The host of the server.
    let host: String
    private let timeout: Duration
    private let turn: Turn
    private var slots = FIFO<Slot>()
    /// The commands for a server that is being connected for the first time.
    private var unsent: [Job] = []
    /// The facts of the server; nil while it is not usable.
    private(set) var facts: ServerFacts?
    /// The last failure of the connection; nil while it is usable.
    private(set) var failure: ConnectionFailure?

    init(host: String = "", timeout: Duration, turn: Turn) {
        self.host = host
        self.timeout = timeout
        self.turn = turn
    }

    var owedSince: Instant? { slots.first?.start }

    var isEmpty: Bool { slots.isEmpty && unsent.isEmpty }

    /// Appends a command to the output; while the server is being connected for the first time, the command waits.
    ///
    /// The time for the reply counts from the submission. A command that has lost half of it is refused, because the server
    /// would be taken for a silent one.
    func add(_ job: Job, _ output: inout OutputBuffer, now: Instant) {
        guard facts != nil else {
            if failure == nil { unsent.append(job) } else { end(job, .failure(.notReady)) }
            return
        }
        guard now < job.submitted + timeout / 2 else { return end(job, .failure(.notReady)) }
        if job.isAsking { send(RedisCommand("ASKING"), Slot(start: now), &output) }
        send(job.command, Slot(start: job.submitted, job: job), &output)
    }

    /// Asks for the map of the slots.
    func askForMap(_ output: inout OutputBuffer, now: Instant) {
        send(RedisCommand("CLUSTER", "SLOTS"), Slot(start: now, isMap: true), &output)
    }

    private func send(_ command: RedisCommand, _ slot: Slot, _ output: inout OutputBuffer) {
        output.append(command.bytes)
        slots.append(slot)
    }

    private func end(_ job: Job, _ result: Result<RedisReply, RedisError>) {
        turn.ended.append(Ended(job: job, result: result))
    }

    // MARK: ConnectionTraffic

    func opened(_ facts: ServerFacts, _ output: inout OutputBuffer, now: Instant) {
        self.facts = facts
        failure = nil
        turn.opened.append(facts)
        turn.hasChanged = true
        for job in unsent { add(job, &output, now: now) }
        unsent = []
    }

    func ping(_ output: inout OutputBuffer, now: Instant) {
        send(RedisCommand("PING"), Slot(start: now), &output)
    }

    func take(_ reply: RedisReply, _ output: inout OutputBuffer, now: Instant) -> ConnectionFailure? {
        guard let slot = slots.popFirst() else { return .malformed("a reply without a command") }
        if slot.isMap {
            turn.maps.append((reply, host))
            return nil
        }
        guard case .error(let fault) = reply else {
            if let job = slot.job { end(job, .success(reply)) }
            return nil
        }
        if var job = slot.job {
            // EVAL never replies NOSCRIPT, so the source is sent once.
            if fault.code == "NOSCRIPT", job.sendSource() {
                add(job, &output, now: now)
                return nil
            }
            if let redirection = Redirection(fault, from: host) {
                job.redirections += 1
                turn.redirected.append((job, redirection))
                return nil
            }
        }
        let isUnusable = fault.isNotReady || fault.isClusterFault
        turn.needsMap = turn.needsMap || isUnusable
        if let job = slot.job { end(job, .failure(isUnusable ? .notReady : .refused(fault))) }
        return fault.isNotReady && !(facts?.isCluster == true && fault.isClusterFault) ? .notReady(fault) : nil
    }

    func closed(_ failure: ConnectionFailure) {
        facts = nil
        self.failure = failure
        turn.hasChanged = true
        while let slot = slots.popFirst() {
            if let job = slot.job { end(job, .failure(.connectionLost)) }
        }
        for job in unsent { end(job, .failure(.notReady)) }
        unsent = []
    }
}
