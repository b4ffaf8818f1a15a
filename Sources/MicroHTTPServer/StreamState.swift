/// The state machine between the library, which pulls a streamed response, and the stream, which wakes its reader.
///
/// The library asks for bytes on its worker. If there are none, the connection is suspended until the stream wakes it.
/// `wake` may be called on any thread at any time: before the read that found nothing has returned, between that and the
/// suspension, or after it. No wake is lost, and none resumes a connection that is not suspended.
struct StreamState: Equatable {
    private enum Phase: Equatable {
        /// The library has bytes to send, or the worker reads from the stream.
        case running
        /// The stream had no bytes; the worker is about to suspend the connection.
        case parking
        /// The connection is suspended.
        case parked
        /// The library has released the response.
        case closed
    }

    enum Event: Equatable {
        /// The library asks for bytes.
        case pull
        /// The stream had none.
        case nothing
        /// `MHD_suspend_connection` has returned.
        case suspended
        case wake
        /// The client has left, or the deadline of the drain has passed: no further bytes are read.
        case abandon
        case closed
    }

    enum Action: Equatable {
        case none
        /// Read from the stream.
        case read
        /// Tell the library that the content cannot be completed.
        case fail
        case suspend
        case resume
    }

    private var phase = Phase.running
    /// Whether the stream was woken since the last read began.
    private var isWoken = false
    /// Whether no further bytes are sent.
    private var isAbandoned = false

    /// Handles an event and returns the action that the caller has to perform.
    mutating func on(_ event: Event) -> Action {
        if phase == .closed { return .none }
        switch event {
        case .pull:
            return read()
        case .nothing:
            if isWoken { return read() }
            phase = .parking
            return .suspend
        case .suspended:
            phase = isWoken ? .running : .parked
            return isWoken ? .resume : .none
        case .wake:
            return wake()
        case .abandon:
            isAbandoned = true
            return wake()
        case .closed:
            phase = .closed
            return .none
        }
    }

    private mutating func read() -> Action {
        isWoken = false
        return isAbandoned ? .fail : .read
    }

    private mutating func wake() -> Action {
        isWoken = true
        guard phase == .parked else { return .none }
        phase = .running
        return .resume
    }
}
