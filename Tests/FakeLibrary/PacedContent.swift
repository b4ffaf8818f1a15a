import HTTPExchange
import Primitives
import Synchronization

/// The content of an answer: counted to its end, and sent at the pace of a fault if there is one.
///
/// It is a stream even for a picture in memory, because only a stream is informed when its client disconnects.
final class PacedContent: ContentStream {
    private struct State {
        var offset = 0
        /// The offset up to which bytes may be read for now.
        var allowance: Int
        var isDraining = false
        var wake: (@Sendable () -> Void)?
    }

    let length: Int?
    private let source: RepeatedContent
    private let end: StreamRead
    private let drip: Int
    private let request: CountedRequest
    private let state: Lock<State>

    /// Sends `source`, of which `allowance` bytes may be read; a read beyond them has the result `end`.
    ///
    /// Each heartbeat of the server raises the allowance by `drip`. `request` ends with the content or the client.
    init(
        _ source: RepeatedContent,
        allowance: Int = .max,
        end: StreamRead = .pending,
        drip: Int = 0,
        request: CountedRequest
    ) {
        self.source = source
        self.end = end
        self.drip = drip
        self.request = request
        length = source.count
        state = Lock(State(allowance: allowance))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        state.withLock { state in
            if state.isDraining { return .failed }
            if let count = source.count, state.offset == count { return .finished }
            let size = min(buffer.count, state.allowance - state.offset)
            guard size > 0 else {
                state.wake = wake
                return end
            }
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
            let copied = source.copy(from: state.offset, into: part)
            state.offset += copied
            return .copied(copied)
        }
    }

    func heartbeat() {
        guard drip > 0 else { return }
        wake { $0.allowance += drip }
    }

    func drain() { wake { $0.isDraining = true } }

    private func wake(_ change: (inout State) -> Void) {
        let wake = state.withLock { state in
            change(&state)
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

extension Content {
    /// The bytes to send at another pace; nil for a stream.
    var source: RepeatedContent? {
        switch self {
        case .none: RepeatedContent()
        case .bytes(let bytes): RepeatedContent(prefix: bytes)
        case .shared, .stream: nil
        }
    }
}
