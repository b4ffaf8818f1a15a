import JSON
package import Primitives
import Synchronization

/// Server-sent events as the content of a response, for one reader.
///
/// Senders call from any thread and never wait; the server reads when the connection has room. The closures `wake` and
/// `onClose` are called without the lock, because they may call the stream again.
package final class EventStream: ContentStream {
    private let state: Lock<State>
    private let account: MemoryAccount
    private let onClose: @Sendable () -> Void

    private struct State: Sendable {
        var queue: EventQueue
        /// Wakes the reader while it waits.
        var wake: (@Sendable () -> Void)?
        var isClosed = false
    }

    /// - Parameters:
    ///   - limit: events that may wait for a slow reader, see `EventQueue`.
    ///   - account: the client that pays for waiting events, and the budget.
    ///   - onClose: called once, after the reader has left or has received all.
    package init(
        limit: Int = 64,
        account: MemoryAccount = MemoryAccount(.unlimited),
        onClose: @escaping @Sendable () -> Void = {}
    ) {
        state = Lock(State(queue: EventQueue(limit: limit)))
        self.account = account
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

    /// Queues an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - key: replaces an older waiting event of the same key, so that a slow reader gets the newest state.
    /// - Returns: false if it will not be read, because the stream has ended, has failed or is closed.
    @discardableResult
    package func send(_ event: ServerSentEvent, replacing key: String? = nil) -> Bool {
        send(SharedBytes(event.bytes), replacing: key)
    }

    /// Queues an encoded event, so that an event for many readers is in memory once.
    ///
    /// The stream fails if there is no memory for the event; its client connects again and gets the newest state.
    ///
    /// - Parameters:
    ///   - bytes: `ServerSentEvent.bytes` of the event.
    ///   - key: as in `send(_:replacing:)`.
    /// - Returns: false if it will not be read.
    @discardableResult
    package func send(_ bytes: SharedBytes, replacing key: String? = nil) -> Bool {
        guard let event = WaitingEvent(bytes, account) else {
            // Wakes a reader that waits for an event.
            _ = perform { queue in
                queue.fail()
                return true
            }
            return false
        }
        return perform { $0.append(event, key: key) }
    }

    /// Queues the last event and ends the stream after it.
    ///
    /// - Returns: false if it had ended before.
    @discardableResult
    package func finish(with event: ServerSentEvent? = nil) -> Bool {
        let last = event.flatMap { WaitingEvent(SharedBytes($0.bytes), account) }
        return perform { $0.end(with: last) }
    }

    package func heartbeat() {
        _ = perform { $0.beat() }
    }

    /// Ends the stream with `event: end` and a reason that tells clients to connect to another instance.
    package func drain() {
        finish(with: .end(reason: "shutdown"))
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
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
            state.queue.clear()
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

/// An encoded event that waits for a reader, which holds its memory.
struct WaitingEvent: Sendable {
    let bytes: SharedBytes
    private let hold: MemoryHold?

    /// Holds the memory of the bytes; nil if there is none.
    init?(_ bytes: SharedBytes, _ account: MemoryAccount) {
        self.bytes = bytes
        hold = bytes.reservation?.hold(for: account)
        if hold == nil, bytes.reservation != nil { return nil }
    }

    /// An event of constant bytes.
    init(constant bytes: SharedBytes) {
        self.bytes = bytes
        hold = nil
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
        let event: WaitingEvent
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
    /// The event that has been read in part.
    private var current: WaitingEvent?
    private var position = 0
    private var phase = Phase.open
    private let limit: Int

    /// - Parameter limit: events that may wait, at least 1; the last event is not counted.
    init(limit: Int) {
        precondition(limit >= 1)
        self.limit = limit
    }

    /// Adds an event at the end; false if the stream has ended or fails.
    mutating func append(_ event: WaitingEvent, key: String?) -> Bool {
        guard phase == .open else { return false }
        // An event replaces a waiting heartbeat.
        waiting.removeAll { $0.isHeartbeat || (key != nil && $0.key == key) }
        guard waiting.count < limit else {
            fail()
            return false
        }
        waiting.append(Entry(event: event, key: key))
        return true
    }

    /// Fails the stream: its connection is closed before the end.
    mutating func fail() {
        phase = .failed
        clear()
    }

    /// Releases all events.
    mutating func clear() {
        waiting = []
        current = nil
        position = 0
    }

    /// Adds a heartbeat to an idle stream; false if other bytes wait.
    mutating func beat() -> Bool {
        guard phase == .open, waiting.isEmpty, current == nil else { return false }
        waiting.append(Entry(event: WaitingEvent(constant: ServerSentEvent.heartbeat), isHeartbeat: true))
        return true
    }

    /// Adds the last event; false if the stream has ended or failed before.
    mutating func end(with event: WaitingEvent?) -> Bool {
        guard phase == .open else { return false }
        if let event { waiting.append(Entry(event: event)) }
        phase = .ending
        return true
    }

    /// Copies as many bytes as wait and fit.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamRead {
        if phase == .failed { return .failed }
        var copied = 0
        while copied < buffer.count {
            if current == nil {
                guard !waiting.isEmpty else { break }
                current = waiting.removeFirst().event
                position = 0
            }
            guard let bytes = current?.bytes else { break }
            let count = min(buffer.count - copied, bytes.count - position)
            bytes.withBytes { buffer[copied..<copied + count].copyBytes(from: $0[position..<position + count]) }
            copied += count
            position += count
            // An idle reader holds nothing.
            if position == bytes.count { current = nil }
        }
        if copied > 0 { return .copied(copied) }
        return phase == .ending ? .finished : .pending
    }
}
