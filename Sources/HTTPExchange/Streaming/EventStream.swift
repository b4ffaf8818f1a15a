import JSON
import Synchronization

/// Server-sent events as the content of a response, for one reader.
///
/// Senders call from any thread and never wait; the server reads when the connection has room. The closures `wake` and
/// `onClose` are called without the lock, because they may call the stream again.
package final class EventStream: ContentStream {
    private let state: Mutex<State>
    private let onClose: @Sendable () -> Void

    private struct State: Sendable {
        var queue: EventQueue
        /// Wakes the reader while it waits.
        var wake: (@Sendable () -> Void)?
        var isClosed = false
    }

    /// - Parameters:
    ///   - limit: events that may wait for a slow reader, see `EventQueue`.
    ///   - onClose: called once, after the reader has left or has received all.
    package init(limit: Int = 64, onClose: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(queue: EventQueue(limit: limit)))
        self.onClose = onClose
    }

    /// The response with this stream, which caches must not store and proxies must not transform or delay.
    package var response: Response {
        Response(
            fields: [.contentType: MediaType.eventStream.essence, .cacheControl: "no-store, no-transform"],
            content: .stream(self)
        )
    }

    package var length: Int? { nil }

    package var waitingBytes: Int { state.withLock { $0.isClosed ? 0 : $0.queue.bytes } }

    /// Queues an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - key: replaces an older waiting event of the same key, so that a slow reader gets the newest state.
    /// - Returns: false if it will not be read, because the stream has ended, has failed or is closed.
    @discardableResult
    package func send(_ event: ServerSentEvent, replacing key: String? = nil) -> Bool {
        send(bytes: event.bytes, replacing: key)
    }

    /// Queues an encoded event, so that an event for many readers is encoded once.
    ///
    /// - Parameters:
    ///   - bytes: `ServerSentEvent.bytes` of the event.
    ///   - key: as in `send(_:replacing:)`.
    /// - Returns: false if it will not be read.
    @discardableResult
    package func send(bytes: [UInt8], replacing key: String? = nil) -> Bool {
        perform { $0.append(bytes, key: key) }
    }

    /// Queues the last event and ends the stream after it.
    ///
    /// - Returns: false if it had ended before.
    @discardableResult
    package func finish(with event: ServerSentEvent? = nil) -> Bool {
        perform { $0.end(with: event?.bytes) }
    }

    package func heartbeat() {
        _ = perform { $0.beat() }
    }

    /// Ends the stream with `event: end` and a reason that tells clients to connect to another instance.
    package func drain() {
        finish(with: .end(reason: "shutdown"))
    }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer,
        wake: @escaping @Sendable () -> Void
    ) -> StreamRead {
        state.withLock { state in
            guard !state.isClosed else { return .finished }
            let read = state.queue.read(into: buffer)
            state.wake = read == .pending ? wake : nil
            return read
        }
    }

    package func close() {
        let isFirst = state.withLock { state in
            let isFirst = !state.isClosed
            state.isClosed = true
            state.wake = nil
            return isFirst
        }
        if isFirst { onClose() }
    }

    /// Changes the queue and wakes the reader if the change succeeds.
    ///
    /// A change that fails needs no wake: the reader waits only while the queue is empty, and then it accepts an event.
    private func perform(_ change: (inout EventQueue) -> Bool) -> Bool {
        var wake: (@Sendable () -> Void)?
        let isDone = state.withLock { state in
            guard !state.isClosed, change(&state.queue) else { return false }
            wake = state.wake
            state.wake = nil
            return true
        }
        wake?()
        return isDone
    }
}

extension ServerSentEvent {
    /// The last event of a stream; the reason is one of the API, such as `deleted`, `expired` or `shutdown`.
    package static func end(reason: String) -> ServerSentEvent {
        var json = JSONWriter(capacity: 32)
        json.object { $0.member("reason", reason) }
        return ServerSentEvent("end", data: String(decoding: json.bytes, as: UTF8.self))
    }
}

/// The bounded queue of an event stream, in which a new state replaces an older one.
///
/// A state machine without locks and callbacks, which `EventStream` protects with a lock. An event may have a key: it
/// replaces an older event of that key which has not been read in part, and is added at the end, so that ids only grow.
/// A reader that does not read causes at most `limit` waiting events. If there are more of different keys, the queue
/// fails, and the closed connection tells the reader that it has missed events.
struct EventQueue: Sendable {
    private struct Entry: Sendable {
        let bytes: [UInt8]
        var key: String?
        var isHeartbeat = false
    }

    /// The state of the stream.
    private enum Phase: Sendable {
        case open
        /// The last event is in the queue.
        case ending
        case failed
    }

    private var waiting: [Entry] = []
    private var current: [UInt8] = []
    private var position = 0
    private var phase = Phase.open
    private let limit: Int

    /// - Parameter limit: events that may wait, at least 1; the last event is not counted.
    init(limit: Int) {
        precondition(limit >= 1)
        self.limit = limit
    }

    /// Adds an event at the end; false if the stream has ended or fails.
    mutating func append(_ event: [UInt8], key: String?) -> Bool {
        guard phase == .open else { return false }
        // An event replaces a waiting heartbeat.
        waiting.removeAll { $0.isHeartbeat || (key != nil && $0.key == key) }
        guard waiting.count < limit else {
            phase = .failed
            waiting = []
            return false
        }
        waiting.append(Entry(bytes: event, key: key))
        return true
    }

    /// Adds a heartbeat to an idle stream; false if other bytes wait.
    mutating func beat() -> Bool {
        guard phase == .open, waiting.isEmpty, position == current.count else { return false }
        waiting.append(Entry(bytes: ServerSentEvent.heartbeat, isHeartbeat: true))
        return true
    }

    /// Adds the last event; false if the stream has ended or failed before.
    mutating func end(with event: [UInt8]?) -> Bool {
        guard phase == .open else { return false }
        if let event { waiting.append(Entry(bytes: event)) }
        phase = .ending
        return true
    }

    /// The number of bytes in the queue.
    var bytes: Int {
        waiting.reduce(current.count) { $0 + $1.bytes.count }
    }

    /// Copies as many bytes as wait and fit.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamRead {
        if phase == .failed { return .failed }
        var copied = 0
        while copied < buffer.count {
            if position == current.count {
                guard !waiting.isEmpty else { break }
                current = waiting.removeFirst().bytes
                position = 0
            }
            let count = min(buffer.count - copied, current.count - position)
            buffer[copied..<copied + count].copyBytes(from: current[position..<position + count])
            copied += count
            position += count
        }
        // An idle reader holds nothing.
        if position == current.count {
            current = []
            position = 0
        }
        if copied > 0 { return .copied(copied) }
        return phase == .ending ? .finished : .pending
    }
}
