/// The state machine of a promised response (`Reply.later`), from the promise to the queued response.
///
/// Four threads act on one exchange: the library's worker, the task that produces the response, the event loop (deadline,
/// departure of the client) and the drain. Each reports an event and performs the action that it gets, so that their order
/// is decided in one place and can be tested as a table. Two rules hold: `MHD_resume_connection` is called exactly once
/// for every `MHD_suspend_connection` and never before it ("Calling this function on a connection that was not previously
/// suspended will result in undefined behavior"); and the response is decided once.
struct ExchangeState: Equatable {
    /// The response of the exchange.
    enum Answer: Equatable {
        /// The response of the task.
        case response
        /// The refusal after the deadline.
        case deadline
        /// The refusal of a server that is shutting down.
        case draining
        /// No response: the client has left.
        case none
    }

    enum Phase: Equatable {
        /// The request is being received, or was answered at once: only the worker uses the exchange.
        case direct
        /// The response is promised and the connection is about to be suspended; the response may be decided already.
        case suspending(Answer?)
        /// The connection is suspended and the task runs.
        case waiting
        /// The connection is resumed, or about to be; the worker has not taken the response yet.
        case decided(Answer)
        /// The worker has taken the response, or the exchange has ended.
        case over

        /// Whether the server has decided to refuse the request instead of waiting for the task.
        var isRefused: Bool { self == .decided(.deadline) || self == .decided(.draining) }
    }

    enum Event: Equatable {
        /// The handler promised a response.
        case promised
        /// `MHD_suspend_connection` has returned.
        case suspended
        /// The task has produced its response.
        case finished
        case deadlinePassed
        case clientLeft
        /// The deadline of the drain has passed.
        case stopped
        /// The library calls again after a resume.
        case called
        /// The library has finished the request, successfully or not.
        case completed
    }

    enum Action: Equatable {
        case none
        case suspend
        case start
        /// Call `MHD_resume_connection`, once.
        case resume
        /// Cancel the task, and resume.
        case cancelAndResume
        /// Cancel the task; there is nothing to resume.
        case cancel
        case answer(Answer)
        /// Release the response of the task, which came too late.
        case discard
    }

    private(set) var phase = Phase.direct

    /// Handles an event and returns the action that the caller has to perform.
    mutating func on(_ event: Event) -> Action {
        switch (phase, event) {
        case (.direct, .promised):
            phase = .suspending(nil)
            return .suspend

        case (.suspending(nil), .suspended):
            phase = .waiting
            return .start
        case (.suspending(let answer?), .suspended):
            phase = .decided(answer)
            return .resume
        case (.suspending(nil), _):
            if let answer = Self.answer(because: event) { phase = .suspending(answer) }
            return .none

        case (.waiting, .finished):
            phase = .decided(.response)
            return .resume
        case (.waiting, .completed):
            // Only a library that ends suspended connections could come here, and this one does not.
            phase = .over
            return .cancel
        case (.waiting, _):
            guard let answer = Self.answer(because: event) else { return .none }
            phase = .decided(answer)
            return .cancelAndResume

        case (.decided(let answer), .called):
            phase = .over
            return .answer(answer)
        case (_, .finished):
            return .discard
        case (_, .completed):
            phase = .over
            return .none
        default:
            return .none
        }
    }

    private static func answer(because event: Event) -> Answer? {
        switch event {
        case .deadlinePassed: .deadline
        case .clientLeft: Answer.none
        case .stopped: .draining
        default: nil
        }
    }
}
