import HTTPExchange
import MicroHTTPServer
import Primitives
import Synchronization

/// A stream that performs steps, which may be added at any time.
final class ScriptedStream: ContentStream {
    enum Step: Sendable {
        case bytes([UInt8])
        case end
        case fail
    }

    struct State {
        var steps: [Step]
        var wake: (@Sendable () -> Void)?
        var heartbeats = 0
        var drains = 0
        var closes = 0
        var readsAfterClose = 0
    }

    let length: Int?
    /// The steps that are added when the server drains.
    private let farewell: [Step]
    private let state: Lock<State>

    init(length: Int? = nil, _ steps: [Step] = [], farewell: [Step] = [.end]) {
        self.length = length
        self.farewell = farewell
        state = Lock(State(steps: steps))
    }

    var snapshot: (heartbeats: Int, drains: Int, closes: Int, readsAfterClose: Int, isAsked: Bool) {
        state.withLock { ($0.heartbeats, $0.drains, $0.closes, $0.readsAfterClose, $0.wake != nil) }
    }

    func add(_ steps: Step...) {
        add(steps)
    }

    private func add(_ steps: [Step]) {
        let wake = state.withLock { state in
            state.steps += steps
            return state.wake.take()
        }
        wake?()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        state.withLock { state in
            if state.closes > 0 { state.readsAfterClose += 1 }
            guard let step = state.steps.first else {
                state.wake = wake
                return .pending
            }
            switch step {
            case .bytes(let bytes):
                let count = min(bytes.count, buffer.count)
                buffer.copyBytes(from: bytes[..<count])
                state.steps[0] = .bytes(Array(bytes[count...]))
                if count == bytes.count { state.steps.removeFirst() }
                return .copied(count)
            case .end: return .finished
            case .fail: return .failed
            }
        }
    }

    func heartbeat() {
        state.withLock { $0.heartbeats += 1 }
        add(.bytes(Array(":\n".utf8)))
    }

    func drain() {
        state.withLock { $0.drains += 1 }
        add(farewell)
    }

    func close() {
        state.withLock { $0.closes += 1 }
    }
}
