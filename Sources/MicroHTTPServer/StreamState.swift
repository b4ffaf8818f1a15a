/// The state machine between the library, which pulls a streamed response, and the stream, which wakes its reader.
///
/// The library asks for bytes on its worker. If there are none, the connection is suspended until the stream wakes it.
/// `wake` may be called on any thread at any time: before the read that found nothing has returned, between that and the
/// suspension, or after it. Each case is a state, so that no wake is lost and none resumes a connection that is not
/// suspended.
struct StreamState: Equatable {
    enum Phase: Equatable {
        /// The library has bytes to send.
        case sending
        /// The worker reads from the stream.
        case reading(woken: Bool)
        /// The stream had no bytes; the worker is about to suspend the connection.
        case parking(woken: Bool)
        /// The connection is suspended.
        case parked
        /// The connection is resumed, or about to be.
        case waking
        /// The library has released the response.
        case closed
    }

    enum Event: Equatable {
        /// The library asks for bytes.
        case pull
        /// The stream had bytes, or has ended.
        case served
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

    private(set) var phase = Phase.sending
    /// Whether no further bytes are sent.
    private(set) var isAbandoned = false

    /// Handles an event and returns the action that the caller has to perform.
    mutating func on(_ event: Event) -> Action {
        switch (phase, event) {
        case (.closed, _):
            return .none
        case (_, .closed):
            phase = .closed
            return .none
        case (_, .abandon):
            isAbandoned = true
            return wake()
        case (_, .wake):
            return wake()

        case (_, .pull):
            guard !isAbandoned else { return .fail }
            phase = .reading(woken: false)
            return .read
        case (.reading, .served):
            phase = .sending
            return .none
        case (.reading(woken: true), .nothing):
            guard !isAbandoned else { return .fail }
            phase = .reading(woken: false)
            return .read
        case (.reading(woken: false), .nothing):
            phase = .parking(woken: false)
            return .suspend
        case (.parking(woken: true), .suspended):
            phase = .waking
            return .resume
        case (.parking(woken: false), .suspended):
            phase = .parked
            return .none
        default:
            return .none
        }
    }

    private mutating func wake() -> Action {
        switch phase {
        case .reading:
            phase = .reading(woken: true)
            return .none
        case .parking:
            phase = .parking(woken: true)
            return .none
        case .parked:
            phase = .waking
            return .resume
        case .sending, .waking, .closed:
            return .none
        }
    }
}
