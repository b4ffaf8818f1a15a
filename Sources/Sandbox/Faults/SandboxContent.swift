import HTTPExchange
import Primitives
import Synchronization

/// The content of a sandbox answer: counted to its end, and with a fault if there is one.
///
/// A stream even for a picture that lies ready: only a stream is told when its reader has left.
final class SandboxContent: ContentStream {
    /// How the content comes.
    enum Flow: Sendable, Equatable {
        /// As fast as it is read.
        case free
        /// So many bytes at each beat of the server: no timer of our own.
        case dripping(Int)
        /// So many bytes, then silence.
        case stalling(after: Int)
        /// So many bytes, then the connection is closed.
        case breaking(after: Int)
        /// The connection is reset before the first byte.
        case resetting
    }

    /// Where the bytes come from.
    enum Source: Sendable {
        case body(VirtualBody)
        case shared(SharedBytes, Range<Int>)

        var count: Int? {
            switch self {
            case .body(let body): body.count
            case .shared(_, let range): range.count
            }
        }
    }

    private struct State {
        var offset = 0
        /// How far the reader may come for now.
        var allowance: Int
        var isDraining = false
        var wake: (@Sendable () -> Void)?
    }

    let length: Int?
    private let source: Source
    private let flow: Flow
    private let ticket: Ticket
    private let state: Mutex<State>

    /// Sends `source`, and ends `ticket` when all of it is sent or its reader has left.
    init(_ source: Source, flow: Flow = .free, ticket: Ticket) {
        self.source = source
        self.flow = flow
        self.ticket = ticket
        length = source.count
        let allowance =
            switch flow {
            case .free: Int.max
            case .dripping(let bytes), .stalling(let bytes), .breaking(let bytes): bytes
            case .resetting: 0
            }
        state = Mutex(State(allowance: allowance))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        state.withLock { state in
            if state.isDraining { return .failed }
            if flow == .resetting { return .reset }
            if let count = source.count, state.offset == count { return .finished }
            let room = min(buffer.count, state.allowance - state.offset)
            guard room > 0 else {
                if case .breaking = flow { return .failed }
                state.wake = wake
                return .pending
            }
            let copied = copy(from: state.offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
            state.offset += copied
            return .copied(copied)
        }
    }

    func heartbeat() {
        guard case .dripping(let bytes) = flow else { return }
        let wake = state.withLock { state in
            state.allowance += bytes
            return state.wake.take()
        }
        wake?()
    }

    func drain() {
        let wake = state.withLock { state in
            state.isDraining = true
            return state.wake.take()
        }
        wake?()
    }

    func close() {
        let (offset, wake) = state.withLock { state in (state.offset, state.wake.take()) }
        _ = wake
        ticket.end(aborted: offset != source.count)
    }

    private func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch source {
        case .body(let body):
            return body.copy(from: offset, into: buffer)
        case .shared(let bytes, let range):
            let size = min(buffer.count, range.count - offset)
            bytes.withBytes { bytes in
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + offset)...].prefix(size))
                )
            }
            return size
        }
    }
}
