import CMicroHTTPD
import HTTPExchange
import Primitives
import Synchronization

/// Lets the library pull a stream, and puts its connection to sleep while there is nothing.
///
/// The library holds the bridge by a retained pointer, from the making of the response to its free callback. The stream
/// holds it weakly, through the `wake` it was last given and may never call.
///
/// A failed and an unfinished stream both end with `MHD_CONTENT_READER_END_WITH_ERROR`: the library closes the
/// connection without the last chunk, or short of the Content-Length, and the client sees that something is missing.
final class StreamBridge: Sendable {
    private let stream: any ContentStream
    private let connection: ConnectionHandle
    private let room: WaitingRoom
    private let memory: MemoryBudget
    private let state = Mutex(StreamState())
    private let failed = Atomic(false)
    /// What is charged for the bytes that wait in the stream; nil once the stream is closed.
    private let charge = Mutex<Int?>(0)

    init(_ stream: any ContentStream, connection: ConnectionHandle, room: WaitingRoom, memory: MemoryBudget) {
        self.stream = stream
        self.connection = connection
        self.room = room
        self.memory = memory
    }

    var length: Int? { stream.length }

    /// Whether the stream could not complete its content.
    var isFailed: Bool { failed.load(ordering: .relaxed) }

    /// What the library is told instead of a number of bytes.
    private enum End {
        static let finished = Int(MHD_CONTENT_READER_END_OF_STREAM)
        static let failed = Int(MHD_CONTENT_READER_END_WITH_ERROR)
    }

    /// Gives the library bytes of the content from `position` on, or an end, or 0 and a suspended connection.
    func pull(into buffer: UnsafeMutableRawBufferPointer, position: UInt64) -> Int {
        var action = report(.pull)
        while action == .read {
            switch stream.read(into: buffer, wake: { [weak self] in self?.wake() }) {
            case .copied(let count):
                precondition(count > 0 && count <= buffer.count, "a stream copies what fits, and something")
                _ = report(.served)
                return count
            case .finished:
                _ = report(.served)
                guard let length, position != UInt64(length) else { return End.finished }
                return fail()
            case .failed:
                _ = report(.served)
                return fail()
            case .reset:
                _ = report(.served)
                connection.reset()
                return fail()
            case .pending:
                action = report(.nothing)
            }
        }
        guard action == .suspend else { return End.failed }
        connection.suspend()
        resume(after: .suspended)
        return 0
    }

    private func fail() -> Int {
        failed.store(true, ordering: .relaxed)
        return End.failed
    }

    private func wake() {
        resume(after: .wake)
    }

    /// Takes note that the library has let go of the content; ends the stream.
    func close() {
        _ = report(.closed)
        stream.close()
        memory.release(charge.withLock { $0.take() } ?? 0)
    }

    /// Charges what waits for the reader now in place of what waited before.
    ///
    /// It is counted afterwards and never refused: a stream holds a bounded number of events, and what makes them is
    /// refused while the budget is used up.
    private func recharge() {
        let waiting = stream.waitingBytes
        charge.withLock { charge in
            guard let before = charge, before != waiting else { return }
            if waiting > before { memory.charge(waiting - before) } else { memory.release(before - waiting) }
            charge = waiting
        }
    }

    private func report(_ event: StreamState.Event) -> StreamState.Action {
        state.withLock { $0.on(event) }
    }

    private func resume(after event: StreamState.Event) {
        let resumes = state.withLock { state in
            let resumes = state.on(event) == .resume
            if resumes { room.willResume() }
            return resumes
        }
        if resumes { room.resume(connection) }
    }
}

extension StreamBridge: Waiting {
    func clientLeft() {
        resume(after: .abandon)
    }

    func stop() {
        resume(after: .abandon)
    }

    func heartbeat() {
        stream.heartbeat()
    }

    func drain() {
        stream.drain()
    }

    /// Counts what waits; a stream may last as long as it likes.
    func tick(_ now: MonotonicTime) {
        recharge()
    }
}
