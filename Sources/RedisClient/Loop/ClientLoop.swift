import Logging
import Primitives

/// The thread of a client: it runs both connections and answers the callers.
///
/// Commands that arrive during one turn are sent in one write. Only its own thread uses it.
final class ClientLoop {

    private let inbox: ClientInbox
    private let poll: PollSet
    private let queue: CommandQueue
    private let table = SubscriptionTable()
    private let commands: ServerConnection
    private let subscriptions: ServerConnection
    private let hooks: RedisHooks
    private let logger: Logger
    private var hasFailed = false

    private static let commandsMark: UInt64 = 1
    private static let subscriptionsMark: UInt64 = 2
    /// The longest sleep, which bounds the effect of a missed wake-up.
    private static let longestSleep = Duration.seconds(1)

    init(
        _ configuration: RedisConfiguration,
        tls: TLSContext?,
        inbox: ClientInbox,
        poll: PollSet,
        hooks: RedisHooks,
        logger: Logger
    ) {
        self.inbox = inbox
        self.poll = poll
        self.hooks = hooks
        self.logger = logger
        let queue = CommandQueue(timeout: configuration.timeout)
        self.queue = queue
        func connection(_ traffic: any ConnectionTraffic, _ mark: UInt64) -> ServerConnection {
            ServerConnection(configuration, tls: tls, traffic: traffic, poll: poll, mark: mark, now: .now) {
                SocketAddress.lookUp($0, port: $1) { [inbox] in inbox.add($0, mark: mark) }
            }
        }
        commands = connection(queue, Self.commandsMark)
        subscriptions = connection(table, Self.subscriptionsMark)
    }

    /// Works until the client is stopped.
    func run() {
        while true {
            let ready = poll.wait(until: nextDeadline)
            let now = Instant.now
            let work = inbox.takeWork()
            for lookup in work.lookups {
                let connection = lookup.mark == Self.commandsMark ? commands : subscriptions
                connection.resolved(lookup.addresses, now: now)
            }
            for readiness in ready {
                let connection = readiness.mark == Self.commandsMark ? commands : subscriptions
                connection.handle(readiness, now: now)
            }
            goOn(commands, now)
            goOn(subscriptions, now)
            submit(work, now)
            queue.expire(now: now)
            commands.flush(now: now)
            subscriptions.flush(now: now)
            if work.isStopped {
                commands.stop(now: now)
                subscriptions.stop(now: now)
            }
            report(now)
            if work.isStopped { return }
        }
    }

    /// Does what a connection has left from earlier turns, and what is due.
    private func goOn(_ connection: ServerConnection, _ now: Instant) {
        if connection.hasMoreToRead { connection.receive(now) }
        if let deadline = connection.deadline, deadline <= now { connection.advance(now: now) }
    }

    private func submit(_ work: ClientInbox.Work, _ now: Instant) {
        if commands.isReady, !work.isStopped {
            commands.send(now: now) { output in
                for job in work.jobs { queue.add(job, &output) }
            }
        } else {
            for job in work.jobs { queue.refuse(job, .notReady) }
        }
        guard !work.changes.isEmpty else { return }
        if subscriptions.isReady {
            subscriptions.send(now: now) { output in
                for change in work.changes { table.apply(change, &output) }
            }
        } else {
            var unused = OutputBuffer()
            for change in work.changes { table.apply(change, &unused) }
        }
    }

    /// Answers the callers, after the limits and the state are up to date.
    private func report(_ now: Instant) {
        let progress = queue.takeProgress()
        let (waiting, failure) = inbox.record(progress, now: now)
        if progress.opened != nil || progress.failure != nil { log(progress) }
        if let facts = progress.opened { hooks.opened(facts) }
        for ended in progress.ended {
            if ended.hasReply { hooks.replied(now - ended.job.submitted) }
            ended.job.completion(ended.result)
        }
        for done in waiting { done(failure) }
        for message in table.takeEvents() { hooks.received(message) }
    }

    private func log(_ progress: CommandQueue.Progress) {
        if progress.opened != nil {
            logger.notice("connected to Redis")
        } else if let failure = progress.failure, failure != .stopped {
            // One line for each loss. The attempts after it fail for the same reason or for one that follows from it.
            let level: Logger.Level = hasFailed ? .debug : failure.isPermanent ? .error : .warning
            logger.log(level: level, "no connection to Redis", metadata: ["reason": "\(failure)"])
        }
        hasFailed = progress.opened == nil
    }

    private var nextDeadline: Instant {
        if commands.hasMoreToRead || subscriptions.hasMoreToRead { return .now }
        var next = Instant.now + Self.longestSleep
        if let deadline = commands.deadline { next = min(next, deadline) }
        if let deadline = subscriptions.deadline { next = min(next, deadline) }
        if let deadline = queue.deadline { next = min(next, deadline) }
        return next
    }
}

/// The functions that a client calls on its thread; they must return quickly.
struct RedisHooks: Sendable {
    /// Called when the connection for commands is usable.
    var opened: @Sendable (ServerFacts) -> Void = { _ in }
    /// Called for each event of a subscription.
    var received: @Sendable (RedisMessage) -> Void = { _ in }
    /// The time from a command to its reply.
    var replied: @Sendable (Duration) -> Void = { _ in }
}
