import Logging
import Primitives

/// The thread of a client: it runs the connections, sends each command to the server of its key, and answers the callers.
///
/// One server is a cluster with a map that never changes. Commands that arrive during one turn are sent in one write for each
/// server. Only its own thread uses it.
final class ClientLoop {
    private let inbox: ClientInbox
    private let loop: EventLoop
    private let cluster: Cluster
    private let hooks: RedisHooks
    private let logger: Logger
    private var health: ClientHealth?
    private var hasFailed = false

    /// The longest sleep, which bounds the effect of a missed wake-up.
    private static let longestSleep = Duration.seconds(1)

    init(
        _ configuration: RedisConfiguration,
        tls: TLSContext?,
        inbox: ClientInbox,
        loop: EventLoop,
        hooks: RedisHooks,
        logger: Logger
    ) {
        self.inbox = inbox
        self.loop = loop
        self.hooks = hooks
        self.logger = logger
        cluster = Cluster(configuration, tls: tls, poll: loop.descriptors, logger: logger) { host, port, mark in
            SocketAddress.lookUp(host, port: port) { [inbox] in inbox.add($0, mark: mark) }
        }
    }

    /// Works until the client is stopped.
    func run() {
        while true {
            let ready = loop.wait(until: cluster.deadline(atMost: .now + Self.longestSleep)) ?? []
            let now = Instant.now
            let work = inbox.takeWork()
            for lookup in work.lookups { cluster.connection(lookup.mark)?.resolved(lookup.addresses, now: now) }
            for readiness in ready { cluster.connection(readiness.mark)?.handle(readiness, now: now) }
            cluster.goOn(now: now)
            cluster.send(work.jobs, now: now)
            for change in work.changes { cluster.apply(change, now: now) }
            if work.isStopped { cluster.stop(now: now) }
            report(cluster.endTurn(now: now), now, isStopped: work.isStopped)
            if work.isStopped { return }
        }
    }

    /// Answers the callers, after the limits and the state are up to date.
    private func report(_ ended: ClientTurn, _ now: Instant, isStopped: Bool) {
        var turn = ended
        if isStopped {
            turn.health = ClientHealth(isReady: false, isAccepting: false, failure: .stopped)
        } else if turn.health == health {
            turn.health = nil
        }
        let (waiting, failure) = inbox.record(turn, now: now)
        if let next = turn.health {
            log(next)
            health = next
        }
        for facts in turn.opened { hooks.opened(facts) }
        for ended in turn.ended {
            if ended.hasReply { hooks.replied(now - ended.job.submitted) }
            ended.job.completion(ended.result)
        }
        for done in waiting { done(failure) }
        for message in cluster.takeMessages() { hooks.received(message) }
    }

    private func log(_ next: ClientHealth) {
        if next.isReady {
            logger.notice("connected to Redis")
            hasFailed = false
        } else if let failure = next.failure, failure != .stopped {
            // One line for each loss. The attempts after it fail for the same reason or for one that follows from it.
            let level: Logger.Level = hasFailed ? .debug : failure.isPermanent ? .error : .warning
            logger.log(level: level, "no connection to Redis", metadata: ["reason": "\(failure)"])
            hasFailed = true
        }
    }
}

/// The functions that a client calls on its thread; they must return quickly.
struct RedisHooks: Sendable {
    /// Called when the connection for commands of a server is usable.
    var opened: @Sendable (ServerFacts) -> Void = { _ in }
    /// Called for each event of a subscription.
    var received: @Sendable (RedisMessage) -> Void = { _ in }
    /// The time from a command to its reply.
    var replied: @Sendable (Duration) -> Void = { _ in }
}
