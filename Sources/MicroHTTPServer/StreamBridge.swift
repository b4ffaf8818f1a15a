import CMicroHTTPD
import HTTPExchange
import Primitives
import Synchronization

/// Lets the library pull a stream, and suspends the connection while the stream has no bytes.
///
/// The library retains the bridge from the creation of the response to its free callback. The stream refers to it weakly,
/// through the `wake` closure of the last read, which it may never call.
///
/// A failed and an unfinished stream both end with `MHD_CONTENT_READER_END_WITH_ERROR`: the library closes the
/// connection without the last chunk, or short of the Content-Length, and the client sees that something is missing.
///
/// After that result the library marks the connection as closed but frees it only at its next visit (libmicrohttpd 0.9.75,
/// `MHD_connection_handle_idle`), and without an event it visits only the connection that has been idle longest. So the
/// connection is put on the list of those that are always visited, and the event loop wakes the worker at its next tick.
final class StreamBridge: Sendable {
    private let stream: any ContentStream
    private let connection: ConnectionHandle
    private let server: ServerContext
    private let state = Lock(StreamState())
    private let failed = Atomic(false)

    init(_ stream: any ContentStream, connection: ConnectionHandle, server: ServerContext) {
        self.stream = stream
        self.connection = connection
        self.server = server
    }

    var length: Int? { stream.length }

    /// Whether the stream could not complete its content.
    var isFailed: Bool { failed.load(ordering: .relaxed) }

    /// Copies bytes of the content from `position` on.
    ///
    /// - Returns: their number; one of the library's marks for an end; or 0 after suspending the connection.
    func pull(into buffer: UnsafeMutableRawBufferPointer, position: UInt64) -> Int {
        var action = report(.pull)
        while action == .read {
            let read = stream.read(into: buffer, wake: { [weak self] in self?.resume(after: .wake) })
            switch read {
            case .copied(let count):
                precondition(1...buffer.count ~= count, "a stream must copy from 1 byte to as many as fit")
                return count
            case .finished where length.map({ UInt64($0) == position }) ?? true:
                return Int(MHD_CONTENT_READER_END_OF_STREAM)
            case .finished, .failed, .reset:
                if read == .reset { connection.reset() }
                failed.store(true, ordering: .relaxed)
                return endEarly()
            case .pending:
                action = report(.nothing)
            }
        }
        guard action == .suspend else { return endEarly() }
        connection.suspend()
        resume(after: .suspended)
        return 0
    }

    private func endEarly() -> Int {
        connection.visitAlways()
        server.hasStreamEndedEarly.store(true, ordering: .releasing)
        return Int(MHD_CONTENT_READER_END_WITH_ERROR)
    }

    /// Ends the stream after the library has released the content.
    func close() {
        _ = report(.closed)
        stream.close()
    }

    private func report(_ event: StreamState.Event) -> StreamState.Action {
        state.withLock { $0.on(event) }
    }

    private func resume(after event: StreamState.Event) {
        let resumes = state.withLock { state in
            let resumes = state.on(event) == .resume
            if resumes { server.suspended.willResume() }
            return resumes
        }
        if resumes { server.resume(connection) }
    }
}

extension StreamBridge: SuspendableExchange {
    func clientLeft() {
        resume(after: .abandon)
    }

    func heartbeat() {
        stream.heartbeat()
    }

    func drain() {
        stream.drain()
    }
}
