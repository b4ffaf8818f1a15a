import Primitives

/// A server of a client: its connection for commands and, once a channel needs it, one for subscriptions.
///
/// A connection in RESP2 with subscriptions accepts no other commands. Only the thread of the loop uses it.
final class Node {
    /// Opens a connection for this use; returns it with its number in the epoll set.
    typealias Connect = (any ConnectionTraffic) -> (mark: UInt64, connection: ServerConnection)

    let url: RedisURL
    let queue: CommandQueue
    let table = SubscriptionTable()
    let commands: ServerConnection
    private(set) var subscriptions: ServerConnection?
    /// The numbers of the connections in the epoll set.
    private(set) var marks: [UInt64]
    private let connect: Connect
    /// The last failure of the connection for commands; nil while it is usable.
    var failure: ConnectionFailure?
    /// Whether another server has named this one, to which a slot moves; it stays although the map does not have it.
    var isNamed = false

    init(_ url: RedisURL, timeout: Duration, connect: @escaping Connect) {
        self.url = url
        self.connect = connect
        queue = CommandQueue(timeout: timeout, host: url.host)
        let (mark, connection) = connect(queue)
        (commands, marks) = (connection, [mark])
    }

    var isReady: Bool { commands.isReady }

    /// Adds or removes a channel.
    func apply(_ change: SubscriptionTable.Change, now: Instant) {
        let connection = subscriptions ?? connectForSubscriptions()
        if connection.isReady {
            connection.send(now: now) { table.apply(change, &$0) }
        } else {
            var unused = OutputBuffer()
            table.apply(change, &unused)
        }
    }

    private func connectForSubscriptions() -> ServerConnection {
        let (mark, connection) = connect(table)
        subscriptions = connection
        marks.append(mark)
        return connection
    }

    /// Does what the connections have left from earlier turns, and what is due.
    func goOn(now: Instant) {
        goOn(commands, now)
        if let subscriptions { goOn(subscriptions, now) }
    }

    private func goOn(_ connection: ServerConnection, _ now: Instant) {
        if connection.hasMoreToRead { connection.receive(now) }
        if let deadline = connection.deadline, deadline <= now { connection.advance(now: now) }
    }

    func flush(now: Instant) {
        commands.flush(now: now)
        subscriptions?.flush(now: now)
    }

    func stop(now: Instant) {
        commands.stop(now: now)
        subscriptions?.stop(now: now)
    }

    /// The time of the next work without an event, or `latest` if that is earlier.
    func deadline(atMost latest: Instant) -> Instant {
        if commands.hasMoreToRead || subscriptions?.hasMoreToRead ?? false { return min(.now, latest) }
        var next = latest
        if let deadline = commands.deadline { next = min(next, deadline) }
        if let deadline = subscriptions?.deadline { next = min(next, deadline) }
        if let deadline = queue.deadline { next = min(next, deadline) }
        return next
    }
}

extension RedisURL {
    /// The host of the server; empty for a socket.
    fileprivate var host: String { if case .host(let host, _) = endpoint { host } else { "" } }
}
