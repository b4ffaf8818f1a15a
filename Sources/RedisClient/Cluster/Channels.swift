import Logging
import Primitives
import SharedState

/// The watched channels of a client, and the server on which each is subscribed.
///
/// Only the thread of the client uses it.
final class Channels {
    typealias Receiver = @Sendable (WatchEvent) -> Void

    enum Event: Equatable {
        /// For the watches; `ready` is the acknowledgement of a subscription, before which messages may be lost.
        case watch(WatchEvent)
        /// The slot of the channel is on another server.
        case moved
        case refused(RedisFault)
    }

    private struct Channel {
        let slot: UInt16
        /// The server on which it is subscribed; nil until an owner of its slot is known.
        var node: Node?
        /// Whether Redis has acknowledged the subscription once.
        var isReady = false
        var receivers: [Int: Receiver] = [:]
    }

    private var channels: [String: Channel] = [:]
    private let round: Round
    private let logger: Logger

    init(_ round: Round, logger: Logger) {
        self.round = round
        self.logger = logger
    }

    /// Adds a watch; if the channel is subscribed already, the watch is ready.
    func add(_ channel: String, number: Int, owner: Node?, now: Instant, _ receive: @escaping Receiver) {
        if channels[channel] == nil {
            channels[channel] = Channel(slot: KeySlot.slot(of: channel), node: owner)
            owner?.subscribe(channel, now: now)
        }
        channels[channel]?.receivers[number] = receive
        if channels[channel]?.isReady == true { round.deliveries.append((receive, .ready)) }
    }

    /// Removes a watch; the last one of a channel ends the subscription.
    func remove(_ channel: String, number: Int, now: Instant) {
        channels[channel]?.receivers[number] = nil
        guard channels[channel]?.receivers.isEmpty == true else { return }
        channels.removeValue(forKey: channel)?.node?.subscriptions.unsubscribe(channel, now: now)
    }

    /// Subscribes the channels that are not on the owners of their slots.
    func assign(owner: (UInt16) -> Node?, now: Instant) {
        for (name, channel) in channels {
            guard let owner = owner(channel.slot), owner !== channel.node else { continue }
            channel.node?.subscriptions.unsubscribe(name, now: now)
            owner.subscribe(name, now: now)
            channels[name]?.node = owner
        }
    }

    /// Passes the events of the round to the watches.
    func deliver() {
        for (name, event, connection) in round.events {
            guard let channel = channels[name], channel.node?.subscriptions === connection else { continue }
            switch event {
            case .watch(let event):
                if event == .ready { channels[name]?.isReady = true }
                for receive in channel.receivers.values { round.deliveries.append((receive, event)) }
            case .moved:
                channels[name]?.node = nil
                round.needsMap = true
            case .refused(let fault):
                logger.error("Redis refuses a subscription", metadata: ["reason": "\(fault.text)"])
            }
        }
    }
}
