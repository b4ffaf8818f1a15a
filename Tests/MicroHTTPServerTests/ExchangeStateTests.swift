import TestSupport
import Testing

@testable import MicroHTTPServer

@Suite struct ExchangeStateTests {
    typealias Event = ExchangeState.Event
    typealias Action = ExchangeState.Action

    /// A sequence of events, each with its expected action.
    struct History: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [(Event, Action)]

        init(_ name: String, _ steps: [(Event, Action)]) {
            testDescription = name
            self.steps = steps
        }
    }

    static let histories = [
        History(
            "an answer in time",
            [
                (.promised, .suspend), (.suspended, .start), (.finished, .resume), (.called, .answer(.response)),
                (.completed, .none),
            ]
        ),
        History(
            "the deadline passes while the task works",
            [
                (.promised, .suspend), (.suspended, .start), (.deadlinePassed, .cancelAndResume),
                (.called, .answer(.deadline)), (.finished, .discard), (.completed, .none),
            ]
        ),
        History(
            "the task ends between the deadline and the call",
            [
                (.promised, .suspend), (.suspended, .start), (.deadlinePassed, .cancelAndResume), (.finished, .discard),
                (.called, .answer(.deadline)),
            ]
        ),
        History(
            "the deadline passes between the answer and the call",
            [
                (.promised, .suspend), (.suspended, .start), (.finished, .resume), (.deadlinePassed, .none),
                (.called, .answer(.response)),
            ]
        ),
        History(
            "the client leaves while the task works",
            [
                (.promised, .suspend), (.suspended, .start), (.clientLeft, .cancelAndResume), (.called, .answer(.none)),
                (.completed, .none), (.finished, .discard),
            ]
        ),
        History(
            "the client leaves and the handler is never called again",
            [
                (.promised, .suspend), (.suspended, .start), (.clientLeft, .cancelAndResume), (.completed, .none),
                (.finished, .discard),
            ]
        ),
        History(
            "the client leaves before the suspension",
            [
                (.promised, .suspend), (.clientLeft, .none), (.suspended, .resume), (.called, .answer(.none)),
            ]
        ),
        History(
            "the drain ends before the suspension",
            [
                (.promised, .suspend), (.stopped, .none), (.suspended, .resume), (.called, .answer(.draining)),
            ]
        ),
        History(
            "the first of two reasons before the suspension counts",
            [
                (.promised, .suspend), (.clientLeft, .none), (.stopped, .none), (.suspended, .resume),
                (.called, .answer(.none)),
            ]
        ),
        History(
            "the drain ends while the task works",
            [
                (.promised, .suspend), (.suspended, .start), (.stopped, .cancelAndResume), (.deadlinePassed, .none),
                (.clientLeft, .none), (.called, .answer(.draining)),
            ]
        ),
        History(
            "answered at once: nothing of this",
            [
                (.clientLeft, .none), (.deadlinePassed, .none), (.stopped, .none), (.completed, .none),
            ]
        ),
        History(
            "an answer is given once",
            [
                (.promised, .suspend), (.suspended, .start), (.finished, .resume), (.called, .answer(.response)),
                (.called, .none), (.clientLeft, .none), (.stopped, .none),
            ]
        ),
    ]

    @Test("every sequence of events has its actions", arguments: histories)
    func history(_ history: History) {
        var state = ExchangeState()
        for (index, (event, expected)) in history.steps.enumerated() {
            #expect(state.on(event) == expected, "step \(index), \(event)")
        }
    }

    @Test(
        "in any order of events, only a suspended connection is resumed, and exactly once",
        arguments: 0..<16
    )
    func anyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var state = ExchangeState()
            #expect(state.on(.promised) == .suspend)
            var isSuspended = false
            var isResumed = false
            var isStarted = false
            // The worker's own events come in order. The others come at any time, and a task's end after its start.
            var others: [Event] = [.deadlinePassed, .clientLeft, .stopped, .clientLeft].shuffled(using: &generator)
            var hasSuspended = false
            for _ in 0..<12 {
                let event: Event
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where !hasSuspended: (event, hasSuspended) = (.suspended, true)
                case 1 where isStarted: (event, isStarted) = (.finished, false)
                case 2 where isResumed: event = .called
                default:
                    guard let other = others.popLast() else { continue }
                    event = other
                }
                if event == .suspended { isSuspended = true }
                switch state.on(event) {
                case .resume, .cancelAndResume:
                    #expect(isSuspended && !isResumed)
                    isResumed = true
                case .start: isStarted = true
                default: break
                }
            }
            if !hasSuspended, state.on(.suspended) == .resume { isResumed = true }
            _ = state.on(.stopped)
            if case .decided = state.phase { isResumed = true }
            #expect(isResumed, "what the drain has told to stop is resumed")
        }
    }
}
