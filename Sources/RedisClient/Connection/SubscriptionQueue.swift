import Primitives

/// The channels of a server, and the messages of its connection for subscriptions.
///
/// All subscriptions are those of sharded channels (SSUBSCRIBE), which a server has without a cluster, too.
///
/// Only the thread of the loop uses it.
final class SubscriptionQueue: ConnectionTraffic {
    /// An event of a channel.
    typealias Event = (channel: String, kind: Kind)

    enum Kind: Equatable {
        /// Redis acknowledged the last subscription; messages before this event may be lost.
        case subscribed
        case message([UInt8])
        /// The slot of the channel is on another server.
        case moved
        case refused(RedisFault)
    }

    /// A command with an outstanding reply.
    private enum Owed: Equatable {
        case subscribe(String)
        case unsubscribe(String)
        case pong
    }

    private var channels: Set<String> = []
    /// The number of outstanding replies for each channel.
    ///
    /// Only the last of these replies shows whether the channel is subscribed.
    private var outstanding: [String: Int] = [:]
    private var owed = FIFO<(command: Owed, sent: Instant)>()
    private var events: [Event] = []
    private var isOpen = false

    var owedSince: Instant? { owed.first?.sent }

    /// Adds a channel; sends the command if the connection is open.
    func subscribe(_ channel: String, _ output: inout OutputBuffer, now: Instant) {
        channels.insert(channel)
        if isOpen { send("SSUBSCRIBE", channel, .subscribe(channel), &output, now) }
    }

    /// Removes a channel; sends the command if the connection is open.
    func unsubscribe(_ channel: String, _ output: inout OutputBuffer, now: Instant) {
        guard channels.remove(channel) != nil, isOpen else { return }
        send("SUNSUBSCRIBE", channel, .unsubscribe(channel), &output, now)
    }

    /// Returns the events since the last call, in the order of the connection.
    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    private func send(
        _ name: RedisWord,
        _ channel: String,
        _ command: Owed,
        _ output: inout OutputBuffer,
        _ now: Instant
    ) {
        output.append(RedisCommand(name, .text(channel)).bytes)
        owed.append((command, now))
        outstanding[channel, default: 0] += 1
    }

    // MARK: ConnectionTraffic

    func opened(_ facts: ServerFacts, _ output: inout OutputBuffer, now: Instant) {
        isOpen = true
        for channel in channels { subscribe(channel, &output, now: now) }
    }

    func ping(_ output: inout OutputBuffer, now: Instant) {
        output.append(RedisCommand("PING").bytes)
        owed.append((.pong, now))
    }

    func take(_ reply: RedisReply, _ output: inout OutputBuffer, now: Instant) -> ConnectionFailure? {
        if case .error(let fault) = reply { return take(fault) }
        // PING is answered by a simple string without channels, and by an array with them.
        if reply == .status("PONG") { return take(.pong) }
        guard let elements = reply.elements, let kind = elements.first?.text else {
            return .malformed("a reply that is no message")
        }
        if (kind, elements.count) == ("pong", 2) { return take(.pong) }
        guard elements.count == 3, let channel = elements[1].text else { return .malformed("an unknown message") }
        switch kind {
        case "smessage":
            guard let content = elements[2].bytes else { return .malformed("a message without content") }
            if channels.contains(channel) { events.append((channel, .message(content))) }
            return nil
        case "ssubscribe":
            if isLast(channel), channels.contains(channel) { events.append((channel, .subscribed)) }
            return take(.subscribe(channel))
        case "sunsubscribe":
            guard owed.first?.command == .unsubscribe(channel) else {
                // The slot of the channel has moved to another server.
                drop(channel)
                return nil
            }
            _ = isLast(channel)
            return take(.unsubscribe(channel))
        default: return .malformed("an unknown message")
        }
    }

    func closed(_ failure: ConnectionFailure) {
        isOpen = false
        owed.removeAll()
        outstanding = [:]
    }

    /// Takes an error as the reply to the oldest command.
    private func take(_ fault: RedisFault) -> ConnectionFailure? {
        guard let command = owed.popFirst()?.command else { return .refused(fault) }
        let isMoved = fault.code == "MOVED" || fault.isClusterFault
        if fault.isNotReady, !isMoved { return .notReady(fault) }
        switch command {
        case .subscribe(let channel):
            _ = isLast(channel)
            if isMoved { drop(channel) } else { events.append((channel, .refused(fault))) }
        // A former owner of the slot replies so.
        case .unsubscribe(let channel): _ = isLast(channel)
        case .pong: break
        }
        return nil
    }

    /// Removes a channel that this server does not have any more.
    private func drop(_ channel: String) {
        if channels.remove(channel) != nil { events.append((channel, .moved)) }
    }

    /// Records a reply for a channel; returns whether no other one is outstanding.
    private func isLast(_ channel: String) -> Bool {
        let left = outstanding[channel, default: 1] - 1
        outstanding[channel] = left > 0 ? left : nil
        return left <= 0
    }

    private func take(_ command: Owed) -> ConnectionFailure? {
        owed.popFirst()?.command == command ? nil : .malformed("a reply to another command")
    }
}
