import Primitives

/// The channels of a server, and the messages of its connection for subscriptions.
///
/// All subscriptions are those of sharded channels (SSUBSCRIBE), which a server has without a cluster, too.
///
/// Only the thread of the loop uses it.
final class SubscriptionTable: ConnectionTraffic {

    /// A change of the set of channels.
    struct Change: Sendable {
        let channel: String
        let isSubscribed: Bool
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
    private var owed = FIFO<Owed>()
    private var events: [RedisMessage] = []
    private(set) var isOpen = false

    var isOwed: Bool { !owed.isEmpty }

    /// Whether the channel is, or will be, subscribed on this server.
    func has(_ channel: String) -> Bool { channels.contains(channel) }

    /// Records a change; sends the command if the connection is open.
    func apply(_ change: Change, _ output: inout OutputBuffer) {
        if change.isSubscribed {
            channels.insert(change.channel)
            if isOpen { subscribe(change.channel, &output) }
        } else {
            guard channels.remove(change.channel) != nil else { return }
            // If another server takes the channel over, an event of this one must not look like one of that server.
            events.removeAll { $0.channel == change.channel }
            guard isOpen else { return }
            output.append(RedisCommand("SUNSUBSCRIBE", .text(change.channel)).bytes)
            owed.append(.unsubscribe(change.channel))
            outstanding[change.channel, default: 0] += 1
        }
    }

    /// Returns the events since the last call, in the order of the connection.
    func takeEvents() -> [RedisMessage] {
        defer { events = [] }
        return events
    }

    private func subscribe(_ channel: String, _ output: inout OutputBuffer) {
        output.append(RedisCommand("SSUBSCRIBE", .text(channel)).bytes)
        owed.append(.subscribe(channel))
        outstanding[channel, default: 0] += 1
    }

    // MARK: ConnectionTraffic

    func opened(_ facts: ServerFacts, _ output: inout OutputBuffer) {
        isOpen = true
        for channel in channels { subscribe(channel, &output) }
    }

    func ping(_ output: inout OutputBuffer) {
        output.append(RedisCommand("PING").bytes)
        owed.append(.pong)
    }

    func take(_ reply: RedisReply, _ output: inout OutputBuffer, now: Instant) -> ConnectionFailure? {
        if case .error(let fault) = reply { return take(fault) }
        // PING is answered by a simple string without channels, and by an array with them.
        if reply == .status("PONG") { return take(.pong) }
        guard let elements = reply.elements, let kind = elements.first?.text else {
            return .malformed("a reply that is no message")
        }
        switch (kind, elements.count) {
        case ("pong", 2): return take(.pong)
        case ("smessage", 3):
            guard let channel = elements[1].text, let content = elements[2].bytes else {
                return .malformed("a message without content")
            }
            if channels.contains(channel) { events.append(.message(channel: channel, content)) }
            return nil
        case ("ssubscribe", 3):
            guard let channel = elements[1].text else { return .malformed("a channel without a name") }
            if isLast(channel), channels.contains(channel) { events.append(.subscribed(channel: channel)) }
            return take(.subscribe(channel))
        case ("sunsubscribe", 3):
            guard let channel = elements[1].text else { return .malformed("a channel without a name") }
            guard owed.first == .unsubscribe(channel) else {
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
        if isOpen {
            for channel in channels { events.append(.lost(channel: channel)) }
        }
        isOpen = false
        owed.removeAll()
        outstanding = [:]
    }

    /// Takes an error as the reply to the oldest command.
    private func take(_ fault: RedisFault) -> ConnectionFailure? {
        guard let command = owed.popFirst() else { return .refused(fault) }
        let isMoved = fault.code == "MOVED" || fault.isClusterFault
        if fault.isNotReady, !isMoved { return .notReady(fault) }
        switch command {
        case .subscribe(let channel):
            _ = isLast(channel)
            if isMoved { drop(channel) } else { events.append(.refused(channel: channel, fault)) }
        // A former owner of the slot replies so.
        case .unsubscribe(let channel): _ = isLast(channel)
        case .pong: break
        }
        return nil
    }

    /// Removes a channel that this server does not have any more.
    private func drop(_ channel: String) {
        if channels.remove(channel) != nil { events.append(.lost(channel: channel)) }
    }

    /// Records a reply for a channel; returns whether no other one is outstanding.
    private func isLast(_ channel: String) -> Bool {
        let left = outstanding[channel, default: 1] - 1
        outstanding[channel] = left > 0 ? left : nil
        return left <= 0
    }

    private func take(_ command: Owed) -> ConnectionFailure? {
        owed.popFirst() == command ? nil : .malformed("a reply to another command")
    }
}

/// An event of the subscriptions.
package enum RedisMessage: Sendable, Equatable {
    /// Redis acknowledged the subscription; messages before this event may be lost.
    ///
    /// It comes again after each `lost`, and after another `subscribe`.
    case subscribed(channel: String)
    /// The connection was lost, or the channel moves to another server: messages may be lost until the next `subscribed`.
    case lost(channel: String)
    case message(channel: String, [UInt8])
    /// Redis refused the subscription.
    case refused(channel: String, RedisFault)

    /// The channel of the event.
    fileprivate var channel: String {
        switch self {
        case .subscribed(let channel), .lost(let channel), .message(let channel, _), .refused(let channel, _): channel
        }
    }
}
