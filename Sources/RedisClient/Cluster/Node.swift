import Primitives

/// A server of a client: its connection for commands and, once a channel needs it, one for subscriptions.
///
/// A connection in RESP2 with subscriptions accepts no other commands. Only the thread of the loop uses it.
final class Node {
    /// Opens a connection for this use.
    typealias Connect = (any ConnectionTraffic) -> ServerConnection

    let url: RedisURL
    let queue: CommandQueue
    let subscriptions = SubscriptionQueue()
    private let commands: ServerConnection
    private var messages: ServerConnection?
    private let connect: Connect

    init(_ url: RedisURL, timeout: Duration, turn: Turn, connect: @escaping Connect) {
        self.url = url
        self.connect = connect
        queue = CommandQueue(host: url.host, timeout: timeout, turn: turn)
        commands = connect(queue)
    }

    var isReady: Bool { commands.isReady }

    var connections: [ServerConnection] { [commands] + (messages.map { [$0] } ?? []) }

    func send(_ job: CommandQueue.Job, now: Instant) {
        commands.append { queue.add(job, &$0, now: now) }
    }

    func askForMap(now: Instant) {
        commands.append { queue.askForMap(&$0, now: now) }
    }

    func subscribe(_ channel: String, now: Instant) {
        let connection = messages ?? connect(subscriptions)
        messages = connection
        connection.append { subscriptions.subscribe(channel, &$0, now: now) }
    }

    func unsubscribe(_ channel: String, now: Instant) {
        messages?.append { subscriptions.unsubscribe(channel, &$0, now: now) }
    }

    /// Does what the connections have left from earlier turns, and what is due.
    func goOn(now: Instant) {
        for connection in connections { connection.goOn(now: now) }
    }

    func flush(now: Instant) {
        commands.flush(now: now)
        messages?.flush(now: now)
    }

    func stop(now: Instant) {
        for connection in connections { connection.stop(now: now) }
    }

    /// The time of the next work without an event, or `latest` if that is earlier.
    func deadline(atMost latest: Instant) -> Instant {
        min(commands.deadline ?? latest, messages?.deadline ?? latest, latest)
    }
}

extension RedisURL {
    /// The host of the server; empty for a socket.
    fileprivate var host: String { if case .host(let host, _) = endpoint { host } else { "" } }
}
