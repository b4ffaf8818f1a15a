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

    /// The origin of the bytes.
    enum Source: Sendable {
        case repeated(RepeatedContent)
        case shared(SharedBytes, Range<Int>)

        var count: Int? {
            switch self {
            case .repeated(let content): content.count
            case .shared(_, let range): range.count
            }
        }
    }

    private struct State {
        var offset = 0
        /// The offset up to which bytes may be read for now.
        var allowance: Int
        var isDraining = false
        var wake: (@Sendable () -> Void)?
    }

    let length: Int?
    private let source: Source
    private let pace: Pace
    private let request: CountedRequest
    private let state: Lock<State>

    /// Sends `source`, and ends `request` when all of it is sent or the client has disconnected.
    init(_ source: Source, pace: Pace = .unlimited, request: CountedRequest) {
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
            let copied = copy(from: state.offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
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
        let (offset, wake) = state.withLock { state in (state.offset, state.wake.take()) }
        _ = wake
        request.end(isAborted: offset != source.count)
    }

    private func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch source {
        case .repeated(let content):
            return content.copy(from: offset, into: buffer)
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
