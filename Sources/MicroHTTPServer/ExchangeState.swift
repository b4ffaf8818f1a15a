/// Where a promised answer (`Reply.later`) stands, from the promise to the answer that is queued.
///
/// Four parties act on one exchange, each on a thread of its own: the library's worker, the task that makes the answer,
/// the lookout (deadline, client gone) and the drain. Each reports what happened as an event and does what the action
/// says, so that the order in which they come is decided here, in one place, and can be tested as a table. What must
/// hold: `MHD_resume_connection` is called exactly once for every `MHD_suspend_connection`, never before it ("Calling
/// this function on a connection that was not previously suspended will result in undefined behavior"), and the handler
/// is told once how to answer.
struct ExchangeState: Equatable {
    /// How the exchange is to be answered.
    enum Answer: Equatable {
        /// With what the task made.
        case response
        /// With the words for a deadline that has passed.
        case deadline
        /// With the words for a server that goes down.
        case draining
        /// Not at all: nobody is there to read it.
        case none
    }

    enum Phase: Equatable {
        /// The request is being received, or was answered at once: only the worker knows of the exchange.
        case direct
        /// The answer is promised and the connection is about to be suspended; it may be decided already.
        case suspending(Answer?)
        /// The connection is suspended and the task works.
        case waiting
        /// The connection is resumed, or about to be; the worker has not asked yet.
        case decided(Answer)
        /// The worker has taken the answer, or the exchange has ended.
        case over

        /// Whether the server has decided to answer in the task's place.
        var isRefused: Bool { self == .decided(.deadline) || self == .decided(.draining) }
    }

    enum Event: Equatable {
        /// The handler promised an answer, and the exchange is registered.
        case promised
        /// `MHD_suspend_connection` has returned.
        case suspended
        /// The task has made its answer.
        case finished
        case deadlinePassed
        case clientLeft
        /// The drain has waited long enough.
        case stopped
        /// The library calls again after a resume.
        case called
        /// The library is done with the request, however it went.
        case completed
    }

    enum Action: Equatable {
        case none
        case suspend
        case start
        /// `MHD_resume_connection`, once.
        case resume
        /// Cancel the task, and resume.
        case cancelAndResume
        /// Cancel the task; there is nothing to resume.
        case cancel
        case answer(Answer)
        /// What the task made came too late: release it.
        case discard
    }

    private(set) var phase = Phase.direct

    /// Takes in what happened and says what the caller is to do about it.
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
