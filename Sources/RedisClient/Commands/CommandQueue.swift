import Primitives
import SharedState

/// The commands that were sent on a connection, in the order of their replies, and the bytes that are to be sent.
///
/// A server has one connection for the commands of callers and one for subscriptions. In RESP2 a connection with
/// subscriptions accepts no other commands but PING. All subscriptions are those of sharded channels (SSUBSCRIBE), which a
/// server has without a cluster, too.
///
/// Only the thread of the loop uses it.
final class CommandQueue {
    /// A command and its caller.
    ///
    /// `@unchecked Sendable`: its caller only creates it; the variables belong to the thread of the loop.
    final class Job: @unchecked Sendable {
        fileprivate(set) var command: RedisCommand
        let submitted: Instant
        /// The share of the command in the limits of the client.
        let size: Int
        var redirections = 0
        /// Whether the server runs the command although the slot of its key is still on another one.
        var isAsking = false
        /// The outcome, for which the caller waits; nil if its task is cancelled first.
        let outcome = PendingResult<RedisClient.Outcome?>()

        init(_ command: RedisCommand, submitted: Instant) {
            self.command = command
            self.submitted = submitted
            size = command.bytes.count
        }
    }

    struct Ended {
        let job: Job
        let outcome: RedisClient.Outcome

        /// Whether the server replied; a command without a reply does not count for the latency.
        var hasReply: Bool {
            switch outcome {
            case .success, .failure(.refused): true
            case .failure: false
            }
        }
    }

    private enum Purpose {
        case job(Job)
        case map
        case subscribe(String)
        case unsubscribe(String)
        /// Another command of the client itself, such as PING.
        case own
    }

    let host: String
    let round: Round
    private let isForChannels: Bool
    // Exclusivity is not checked at run time, which would cost a call for each access: only one thread has access.
    @exclusivity(unchecked) var output: [UInt8] = []
    @exclusivity(unchecked) private var pending = FIFO<(purpose: Purpose, sent: Instant)>()
    /// The commands for a server that is being connected for the first time.
    private var unsent: [Job] = []
    private var channels: Set<String> = []
    /// The replies that each channel waits for; only the last one shows whether the channel is subscribed.
    private var awaited: [String: Int] = [:]
    /// The facts of the server; nil while the connection is not usable.
    @exclusivity(unchecked) private(set) var facts: ServerFacts?
    /// The last failure of the connection; nil while it is usable.
    private(set) var failure: ConnectionFailure?

    init(host: String = "", round: Round, isForChannels: Bool = false) {
        self.host = host
        self.round = round
        self.isForChannels = isForChannels
    }

    /// The time at which the oldest command without a reply was sent; nil if Redis owes no reply.
    var owedSince: Instant? { pending.first?.sent }

    var largestReply: Int {
        guard case .job(let job)? = pending.first?.purpose else { return RedisCommand.usualReply }
        return job.command.largestReply
    }

    var isEmpty: Bool { pending.isEmpty && unsent.isEmpty }

    // MARK: Commands

    /// Sends a command; while the server is being connected for the first time, the command waits.
    func send(_ job: Job, now: Instant) {
        guard facts != nil else {
            if failure == nil { unsent.append(job) } else { end(job, .failure(.notReady)) }
            return
        }
        // Its caller may have given up while the server was being connected.
        guard !job.outcome.isDelivered else { return end(job, .failure(.notReady)) }
        if job.isAsking { send(RedisCommand("ASKING"), .own, now: now) }
        send(job.command, .job(job), now: now)
    }

    func askForMap(now: Instant) {
        send(RedisCommand("CLUSTER", "SLOTS"), .map, now: now)
    }

    func ping(now: Instant) {
        send(RedisCommand("PING"), .own, now: now)
    }

    /// Adds a channel; it is subscribed at once if the connection is open.
    func subscribe(_ channel: String, now: Instant) {
        channels.insert(channel)
        if facts != nil { send("SSUBSCRIBE", channel, .subscribe(channel), now: now) }
    }

    func unsubscribe(_ channel: String, now: Instant) {
        guard channels.remove(channel) != nil, facts != nil else { return }
        send("SUNSUBSCRIBE", channel, .unsubscribe(channel), now: now)
    }

    private func send(_ name: RedisWord, _ channel: String, _ purpose: Purpose, now: Instant) {
        awaited[channel, default: 0] += 1
        send(RedisCommand(name, .text(channel)), purpose, now: now)
    }

    private func send(_ command: RedisCommand, _ purpose: Purpose, now: Instant) {
        output += command.bytes
        pending.append((purpose, sent: now))
    }

    private func end(_ job: Job, _ outcome: RedisClient.Outcome) {
        round.ended.append(Ended(job: job, outcome: outcome))
    }

    // MARK: The connection

    func opened(_ facts: ServerFacts, now: Instant) {
        self.facts = facts
        failure = nil
        round.hasChanged = true
        for job in unsent { send(job, now: now) }
        unsent = []
        for channel in channels { subscribe(channel, now: now) }
    }

    func closed(_ failure: ConnectionFailure) {
        facts = nil
        self.failure = failure
        round.hasChanged = true
        while let command = pending.popFirst() {
            if case .job(let job) = command.purpose { end(job, .failure(.connectionLost)) }
        }
        for job in unsent { end(job, .failure(.notReady)) }
        unsent = []
        awaited = [:]
    }

    /// Handles a reply or a message; returns a failure if the connection must be closed.
    func receive(_ reply: RedisReply, now: Instant) -> ConnectionFailure? {
        if isForChannels, let event = message(reply) {
            if case (let channel, .moved) = event { channels.remove(channel) }
            round.events.append((event.channel, event.kind, self))
            return nil
        }
        guard let command = pending.popFirst() else { return .malformed("a reply without a command") }
        if case .error(let fault) = reply { return receive(fault, of: command.purpose, now: now) }
        switch command.purpose {
        case .job(let job): end(job, .success(reply))
        case .map: round.maps.append((reply, self))
        case .subscribe(let channel):
            guard reply.isAbout(channel, "ssubscribe") else { return .malformed("a reply to another command") }
            if isLast(channel) { round.events.append((channel, .watch(.ready), self)) }
        case .unsubscribe(let channel):
            guard reply.isAbout(channel, "sunsubscribe") else { return .malformed("a reply to another command") }
            _ = isLast(channel)
        // PING is answered by an array on a connection with channels.
        case .own: break
        }
        return nil
    }

    /// Counts a reply for a channel; returns whether it waits for no other one.
    private func isLast(_ channel: String) -> Bool {
        let left = awaited[channel, default: 1] - 1
        awaited[channel] = left > 0 ? left : nil
        return left <= 0
    }

    /// Reads a message, or the end of a subscription that was not asked for: its slot has moved to another server.
    private func message(_ reply: RedisReply) -> (channel: String, kind: Channels.Event)? {
        guard let elements = reply.elements, elements.count == 3, let channel = elements[1].text else { return nil }
        if elements[0].text == "smessage", let content = elements[2].bytes {
            // An empty message is the end of the record.
            return (channel, .watch(content.isEmpty ? .deleted : .written(content)))
        }
        if case .unsubscribe(channel) = pending.first?.purpose { return nil }
        return reply.isAbout(channel, "sunsubscribe") ? (channel, .moved) : nil
    }

    private func receive(_ fault: RedisFault, of purpose: Purpose, now: Instant) -> ConnectionFailure? {
        // A server of a cluster stays connected if its shard refuses commands.
        let endsConnection = fault.isNotReady && !(round.isCluster && fault.isClusterFault)
        switch purpose {
        case .job(let job):
            // EVAL never replies NOSCRIPT, so the source is sent once.
            if fault.code == "NOSCRIPT", let command = job.command.withSource {
                job.command = command
                send(job, now: now)
                return nil
            }
            // A server alone has all slots, and names no other one.
            if round.isCluster, let redirection = Redirection(fault, from: host) {
                job.redirections += 1
                round.redirected.append((job, redirection))
                return nil
            }
            end(job, .failure(endsConnection ? .notReady : .refused(fault)))
        case .subscribe(let channel):
            _ = isLast(channel)
            let isMoved = fault.code == "MOVED" || fault.isClusterFault
            if isMoved { channels.remove(channel) }
            round.events.append((channel, isMoved ? .moved : .refused(fault), self))
        // A former owner of the slot refuses the end of a subscription.
        case .unsubscribe(let channel): _ = isLast(channel)
        case .map:
            round.needsMap = true
            if fault.isMissing { return .permission(fault) }
        case .own: break
        }
        round.needsMap = round.needsMap || fault.isNotReady || fault.isClusterFault
        return endsConnection ? .notReady(fault) : nil
    }
}

extension RedisReply {
    /// Whether this is the reply to a subscription of a channel, or to its end.
    fileprivate func isAbout(_ channel: String, _ kind: String) -> Bool {
        guard let elements, elements.count == 3 else { return false }
        return elements[0].text == kind && elements[1].text == channel
    }
}

/// A queue in an array: the first element is removed in constant time on average, and nothing of it is kept.
struct FIFO<Element> {
    private var elements: [Element?] = []
    /// The removed places at the front.
    private var removed = 0

    var isEmpty: Bool { removed == elements.count }
    var first: Element? { isEmpty ? nil : elements[removed] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[removed].take()
        removed += 1
        if removed > 64, removed > elements.count / 2 {
            elements.removeFirst(removed)
            removed = 0
        }
        return element
    }
}
