import Primitives

/// A server of a client: its connection for commands and, once a channel needs it, one for subscriptions.
///
/// Only the thread of the loop uses it.
final class Node {
    let queue: CommandQueue
    let subscriptions: CommandQueue
    private(set) var connections: [ServerConnection]
    /// Opens a connection for these commands.
    private let connect: (CommandQueue) -> ServerConnection

    init(_ url: RedisURL, timeout: Duration, round: Round, connect: @escaping (CommandQueue) -> ServerConnection) {
        self.connect = connect
        queue = CommandQueue(host: url.host, timeout: timeout, round: round)
        subscriptions = CommandQueue(host: url.host, timeout: timeout, round: round, isForChannels: true)
        connections = [connect(queue)]
    }

    var isReady: Bool { queue.facts != nil }

    func subscribe(_ channel: String, now: Instant) {
        if connections.count == 1 { connections.append(connect(subscriptions)) }
        subscriptions.subscribe(channel, now: now)
    }

    func stop(now: Instant) {
        for connection in connections { connection.stop(now: now) }
    }
}

extension RedisURL {
    /// The host of the server; empty for a socket.
    fileprivate var host: String { if case .host(let host, _) = endpoint { host } else { "" } }
}
