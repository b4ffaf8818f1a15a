import HTTPExchange
import Primitives
import Synchronization

/// The content of an answer: counted to its end, and sent at the pace of a fault if there is one.
///
/// It is a stream even for a picture in memory, because only a stream is informed when its client disconnects.
final class PacedContent: ContentStream {
    enum Pace: Sendable, Equatable {
        /// As fast as it is read.
        case unlimited
        /// This number of bytes at each heartbeat of the server.
        case dripping(Int)
        /// This number of bytes, and then nothing.
        case stalling(after: Int)
        /// This number of bytes, then the connection is closed.
        case breaking(after: Int)
        /// The connection is reset before the first byte.
        case resetting
    }

    private struct State {
        var offset = 0
        /// The offset up to which bytes may be read for now.
        var allowance: Int
        var isDraining = false
        var wake: (@Sendable () -> Void)?
    }

    let length: Int?
    private let source: RepeatedContent
    private let pace: Pace
    private let request: CountedRequest
    private let state: Lock<State>

    /// Sends `source`, and ends `request` when all of it is sent or the client has disconnected.
    init(_ source: RepeatedContent, pace: Pace = .unlimited, request: CountedRequest) {
        self.source = source
        self.pace = pace
        self.request = request
        length = source.count
        let allowance =
            switch pace {
            case .unlimited: Int.max
            case .dripping(let bytes), .stalling(let bytes), .breaking(let bytes): bytes
            case .resetting: 0
            }
        state = Lock(State(allowance: allowance))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        state.withLock { state in
            if state.isDraining { return .failed }
            if pace == .resetting { return .reset }
            if let count = source.count, state.offset == count { return .finished }
            let size = min(buffer.count, state.allowance - state.offset)
            guard size > 0 else {
                if case .breaking = pace { return .failed }
                state.wake = wake
                return .pending
            }
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
            let copied = source.copy(from: state.offset, into: part)
            state.offset += copied
            return .copied(copied)
        }
    }

    func heartbeat() {
        guard case .dripping(let bytes) = pace else { return }
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
        let offset = state.withLock { state in
            state.wake = nil
            return state.offset
        }
        request.end(isAborted: offset != source.count)
    }
}
