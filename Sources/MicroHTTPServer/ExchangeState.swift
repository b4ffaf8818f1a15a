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
        /// The response is promised, and the worker suspends the connection next.
        case suspending
        /// The connection is suspended and the task runs.
        case waiting
        /// The connection is resumed, or about to be; the worker has not taken the decision yet.
        case resumed
        /// The worker has taken the decision, or the exchange has ended.
        case over
    }

    enum Event: Equatable {
        /// `MHD_suspend_connection` has returned.
        case suspended
        /// The task has produced its response.
        case finished
        /// The deadline has passed, the client has left, or the drain has ended.
        case interrupted(Decision)
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

    private(set) var phase = Phase.suspending
    private var decision: Decision?

    /// Whether the server has decided to refuse the request instead of waiting for the task.
    var isRefused: Bool { decision == .deadline || decision == .draining }

    /// Returns the decision when the library calls the worker after the resume; nil without one, or if it was taken.
    mutating func nextDecision() -> Decision? {
        guard phase == .resumed else { return nil }
        phase = .over
        return decision
    }

    /// Handles an event and returns the action that the caller has to perform.
    mutating func on(_ event: Event) -> Action {
        switch (event, phase) {
        case (.suspended, _):
            phase = decision == nil ? .waiting : .resumed
            return decision == nil ? .start : .resume
        case (.finished, .waiting):
            decision = .response
            phase = .resumed
            return .resume
        case (.finished, _):
            return .discard
        case (.interrupted(let reason), .suspending):
            decision = decision ?? reason
            return .none
        case (.interrupted(let reason), .waiting):
            decision = reason
            phase = .resumed
            return .cancelAndResume
        case (.interrupted, _):
            return .none
        case (.completed, _):
            // Only a library that ends suspended connections could end one that waits, and this one does not.
            let isWaiting = phase == .waiting
            phase = .over
            return isWaiting ? .cancel : .none
        }
    }
}
