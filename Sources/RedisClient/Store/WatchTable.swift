import Logging
import SharedState
import Synchronization

/// The watches of a store by their channels.
///
/// Any thread adds and removes watches; `take` is called on the client's thread, which alone calls receivers.
final class WatchTable: Sendable {
    typealias Receiver = @Sendable (SharedEvent) -> Void

    private struct Watch {
        let receive: Receiver
        /// Whether the watch gets messages: Redis has acknowledged its channel since the watch was added and since the
        /// last interruption.
        var isReady = false
    }

    private struct State {
        var channels: [String: [Int: Watch]] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    /// Adds a watch and calls `subscribe` under the lock.
    ///
    /// The lock keeps the order of the commands for a channel: another thread may remove a watch at the same time.
    func add(
        _ key: SharedKey,
        _ channel: String,
        _ receive: @escaping Receiver,
        subscribe: () -> Void
    ) -> SharedWatch {
        state.withLock { state in
            state.lastNumber += 1
            state.channels[channel, default: [:]][state.lastNumber] = Watch(receive: receive)
            subscribe()
            return SharedWatch(key: key, number: state.lastNumber)
        }
    }

    /// Removes a watch; calls `unsubscribe` under the lock after the last one of the channel.
    func remove(_ watch: SharedWatch, _ channel: String, unsubscribe: () -> Void) {
        state.withLock { state in
            guard state.channels[channel]?.removeValue(forKey: watch.number) != nil else { return }
            guard state.channels[channel]?.isEmpty == true else { return }
            state.channels[channel] = nil
            unsubscribe()
        }
    }

    /// Passes an event of the subscriptions to the watches.
    func take(_ message: RedisMessage) {
        switch message {
        case .subscribed(let channel):
            let started = state.withLock { state in
                let numbers = (state.channels[channel] ?? [:]).filter { !$0.value.isReady }.keys.sorted()
                for number in numbers { state.channels[channel]?[number]?.isReady = true }
                return numbers
            }
            send(.ready, to: started, of: channel)
        case .lost(let channel):
            state.withLock { state in
                state.channels[channel] = state.channels[channel]?.mapValues { Watch(receive: $0.receive) }
            }
        case .message(let channel, let content):
            // An empty message is the end of the record.
            let event = content.isEmpty ? SharedEvent.deleted : .written(content)
            let ready = state.withLock { state in
                (state.channels[channel] ?? [:]).filter(\.value.isReady).keys.sorted()
            }
            send(event, to: ready, of: channel)
        case .refused(_, let fault):
            logger.error("Redis refuses a subscription", metadata: ["reason": "\(fault.text)"])
        }
    }

    /// Calls the receivers that are not removed meanwhile.
    private func send(_ event: SharedEvent, to numbers: [Int], of channel: String) {
        for number in numbers {
            state.withLock { $0.channels[channel]?[number]?.receive }?(event)
        }
    }
}
