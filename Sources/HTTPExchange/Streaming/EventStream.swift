import JSON
package import Primitives
import Synchronization

/// Server-sent events as the content of a response, for one reader, which gets the newest state.
///
/// Senders call from any thread and never wait; the server reads when the connection has room. An event replaces the one
/// that waits, so a reader that does not read causes one waiting event and the last one. The closures `wake` and `onClose`
/// are called without the lock, because they may call the stream again.
package final class EventStream: ContentStream {
    private let state = Lock(State())
    private let account: MemoryAccount
    private let onClose: @Sendable () -> Void

    private struct State: Sendable {
        var phase = Phase.open
        /// The event that has been read in part, and the number of its bytes that were read.
        var current: Event?
        var position = 0
        /// The event that waits.
        var next: Event?
        /// The greatest number of an event that was sent.
        var number = Int.min
        /// The event after which the stream ends.
        var last: Event?
        /// Wakes the reader while it waits.
        var wake: (@Sendable () -> Void)?
        /// The share in which the stream is counted.
        var share: (shares: ClientShares, client: ClientKey?)?

        /// Releases all events.
        mutating func end(_ phase: Phase) {
            self.phase = phase
            (current, next, last) = (nil, nil, nil)
        }
    }

    private enum Phase: Sendable {
        case open
        /// No event is added any more.
        case ending
        /// The connection is closed before the end.
        case failed
        case closed
    }

    /// An encoded event, with the memory that its reader holds; constant bytes need none.
    private struct Event: Sendable {
        let bytes: SharedBytes
        var lease: MemoryLease?
    }

    /// - Parameters:
    ///   - account: the client that pays for waiting events, and the budget.
    ///   - onClose: called once, after the reader has left or has received all.
    package init(account: MemoryAccount = MemoryAccount(.unlimited), onClose: @escaping @Sendable () -> Void = {}) {
        self.account = account
        self.onClose = onClose
    }

    /// The response with this stream, which caches must not store and proxies must not transform or delay.
    package var response: Response {
        let fields: Fields = [
            .contentType: MediaType.eventStream.essence, .cacheControl: "no-store, no-transform",
            .xAccelBuffering: "no",
        ]
        return Response(fields: fields, content: .stream(self))
    }

    /// Returns the response with this stream, which is counted for a client until it is closed or released.
    ///
    /// - Throws: `refusal` if the share is used up; the stream is closed then.
    package func response(
        in shares: ClientShares,
        of client: ClientKey?,
        refusal: @autoclosure () -> Problem
    ) throws(Problem) -> Response {
        guard shares.reserve(client) else {
            close()
            throw refusal()
        }
        state.withLock { $0.share = (shares, client) }
        return response
    }

    deinit {
        releaseShare()
    }

    private func releaseShare() {
        if let (shares, client) = state.withLock({ $0.share.take() }) { shares.release(client) }
    }

    package var length: Int? { nil }

    /// Replaces the waiting event by an encoded one, which may have several readers.
    ///
    /// An event with a lower `number` than an earlier one is dropped: threads may send in any order.
    /// The stream fails if there is no memory for the event; its client connects again and gets the newest state.
    package func send(_ bytes: SharedBytes, number: Int = .max) {
        let event = held(bytes)
        change { state in
            guard number >= state.number else { return false }
            state.number = number
            if let event { state.next = event } else { state.end(.failed) }
            return true
        }
    }

    /// Adds a comment to an idle stream.
    package func heartbeat() {
        change { state in
            guard state.next == nil, state.current == nil else { return false }
            state.next = Event(bytes: ServerSentEvent.heartbeat)
            return true
        }
    }

    /// Ends the stream after the waiting event, with `event: end` and a reason of the API, such as `deleted`.
    package func end(reason: String) {
        let json = JSONWriter.object(capacity: 32) { $0.member("reason", reason) }
        let event = ServerSentEvent.bytes("end", data: String(decoding: json, as: UTF8.self))
        let last = held(SharedBytes(event))
        change { state in
            state.last = last
            state.phase = .ending
            return true
        }
    }

    /// Ends the stream with a reason that tells clients to connect to another instance.
    package func drain() {
        end(reason: "shutdown")
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        state.withLock { state in
            state.wake = nil
            if state.phase == .failed { return .failed }
            var copied = 0
            while copied < buffer.count {
                if state.current == nil {
                    state.current = state.next.take() ?? state.last.take()
                    state.position = 0
                }
                guard let bytes = state.current?.bytes else { break }
                let count = min(buffer.count - copied, bytes.count - state.position)
                let part = state.position..<state.position + count
                bytes.withBytes { buffer[copied..<copied + count].copyBytes(from: $0[part]) }
                copied += count
                state.position += count
                // An idle reader holds nothing.
                if state.position == bytes.count { state.current = nil }
            }
            if copied > 0 { return .copied(copied) }
            guard state.phase == .open else { return .finished }
            state.wake = wake
            return .pending
        }
    }

    package func close() {
        let isFirst = state.withLock { state in
            let isFirst = state.phase != .closed
            state.end(.closed)
            state.wake = nil
            return isFirst
        }
        releaseShare()
        if isFirst { onClose() }
    }

    /// Returns an event, and holds memory for it; nil if there is none.
    private func held(_ bytes: SharedBytes) -> Event? {
        guard let reservation = bytes.reservation else { return Event(bytes: bytes) }
        return reservation.lease(for: account).map { Event(bytes: bytes, lease: $0) }
    }

    /// Changes an open stream, and wakes the reader if the change returns true.
    private func change(_ change: (inout State) -> Bool) {
        let wake = state.withLock { state in
            state.phase == .open && change(&state) ? state.wake.take() : nil
        }
        wake?()
    }
}
