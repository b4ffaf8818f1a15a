/// The state machine of a promised response (`Reply.later`), from the promise to the queued response.
///
/// Four threads act on one exchange: the library's worker, the task that produces the response, the event loop (deadline,
/// departure of the client) and the drain. Each reports its events, and performs the action that it gets. Two rules hold:
/// `MHD_resume_connection` is called exactly once for every `MHD_suspend_connection` and never before it ("Calling this
/// function on a connection that was not previously suspended will result in undefined behavior"); and the response is
/// decided once.
struct ExchangeState: Equatable {
    /// The decision about the response of the exchange.
    enum Decision: Equatable {
        /// The response of the task.
        case response
        /// The refusal after the deadline.
        case deadline
        /// The refusal of a server that is shutting down.
        case draining
        /// Nothing: the client has left.
        case nothing
    }

    enum Phase: Equatable {
        /// The response is promised and the connection is about to be suspended; the response may be decided already.
        case suspending(Decision?)
        /// The connection is suspended and the task runs.
        case waiting
        /// The connection is resumed, or about to be; the worker has not taken the response yet.
        case decided(Decision)
        /// The worker has taken the response, or the exchange has ended.
        case over

        /// Whether the server has decided to refuse the request instead of waiting for the task.
        var isRefused: Bool {
            switch self {
            case .suspending(.deadline), .suspending(.draining), .decided(.deadline), .decided(.draining): true
            default: false
            }
        }
    }

    enum Event: Equatable {
        /// `MHD_suspend_connection` has returned.
        case suspended
        /// The task has produced its response.
        case finished
        case deadlinePassed
        case clientLeft
        /// The deadline of the drain has passed.
        case stopped
        /// The library has finished the request, successfully or not.
        case completed
    }

    enum Action: Equatable {
        case none
        /// Start the task.
        case start
        /// Call `MHD_resume_connection`, once.
        case resume
        /// Cancel the task, and resume.
        case cancelAndResume
        /// Cancel the task; there is nothing to resume.
        case cancel
        /// Release the response of the task, which came too late.
        case discard
    }

    /// At first, the handler has promised a response, and the worker suspends the connection next.
    private(set) var phase = Phase.suspending(nil)

    /// Returns the decision when the library calls the worker after the resume; nil without one, or if it was taken.
    mutating func nextDecision() -> Decision? {
        guard case .decided(let decision) = phase else { return nil }
        phase = .over
        return decision
    }

    /// Handles an event and returns the action that the caller has to perform.
    mutating func on(_ event: Event) -> Action {
        switch (phase, event) {
        case (.suspending(nil), .suspended):
            phase = .waiting
            return .start
        case (.suspending(let decision?), .suspended):
            phase = .decided(decision)
            return .resume
        case (.suspending(nil), _):
            if let decision = Self.decision(after: event) { phase = .suspending(decision) }
            return .none

        case (.waiting, .finished):
            phase = .decided(.response)
            return .resume
        case (.waiting, .completed):
            // Only a library that ends suspended connections could come here, and this one does not.
            phase = .over
            return .cancel
        case (.waiting, _):
            guard let decision = Self.decision(after: event) else { return .none }
            phase = .decided(decision)
            return .cancelAndResume

        case (_, .finished):
            return .discard
        case (_, .completed):
            phase = .over
            return .none
        default:
            return .none
        }
    }

    /// Returns the decision of an event that ends the waiting for the task; nil for another event.
    private static func decision(after event: Event) -> Decision? {
        switch event {
        case .deadlinePassed: .deadline
        case .clientLeft: .nothing
        case .stopped: .draining
        default: nil
        }
    }
}
