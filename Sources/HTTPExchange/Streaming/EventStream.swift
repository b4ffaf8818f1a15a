import JSON
import Synchronization

/// Server-sent events as the content of a response: one object for one reader.
///
/// Senders call from any thread and never wait; the server reads when the connection has room. All calls to the outside
/// (`wake`, `onClose`) are made after the lock is given back: what they call may come back here.
package final class EventStream: ContentStream {
    private let state: Mutex<State>
    private let onClose: @Sendable () -> Void

    private struct State: Sendable {
        var queue: EventQueue
        /// The reader, while it waits.
        var wake: (@Sendable () -> Void)?
        var isClosed = false
    }

    /// - Parameters:
    ///   - limit: events that may wait for a slow reader, see `EventQueue`.
    ///   - onClose: called once, when the reader has left or has been served.
    package init(limit: Int = 64, onClose: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(queue: EventQueue(limit: limit)))
        self.onClose = onClose
    }

    /// The answer that carries this stream: never stored, and never transformed or held back by a proxy.
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
    ///   - event: what to send.
    ///   - key: an older event of the same key that still waits is replaced: a slow reader gets the newest state.
    /// - Returns: false when nobody will read it: the stream has ended, has failed or is closed.
    @discardableResult
    package func send(_ event: ServerSentEvent, replacing key: String? = nil) -> Bool {
        send(bytes: event.bytes, replacing: key)
    }

    /// Queues an event that was put into bytes before: what goes to many readers is put into bytes once.
    ///
    /// - Parameters:
    ///   - bytes: `ServerSentEvent.bytes` of what to send.
    ///   - key: as in `send(_:replacing:)`.
    /// - Returns: false when nobody will read it.
    @discardableResult
    package func send(bytes: [UInt8], replacing key: String? = nil) -> Bool {
        perform { $0.append(bytes, key: key) }
    }

    /// Queues a last event and ends the stream behind it.
    ///
    /// - Returns: false when it had ended before.
    @discardableResult
    package func finish(with event: ServerSentEvent? = nil) -> Bool {
        perform { $0.end(with: event?.bytes) }
    }

    package func heartbeat() {
        _ = perform { $0.beat() }
    }

    /// Ends the stream with `event: end`, whose reason tells a client to connect again, elsewhere.
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

    /// Changes the queue and wakes the reader, if that gave it something to read.
    ///
    /// A change that fails wakes nobody, and need not: a reader waits at an empty queue only, and an empty queue takes
    /// an event.
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
    /// The last event of a stream; the reason is one of the API's words, such as `deleted`, `expired`, `shutdown`.
    package static func end(reason: String) -> ServerSentEvent {
        var json = JSONWriter(capacity: 32)
        json.object { $0.member("reason", reason) }
        return ServerSentEvent("end", data: String(decoding: json.bytes, as: UTF8.self))
    }
}
