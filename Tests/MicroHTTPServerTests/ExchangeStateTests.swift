import TestSupport
import Testing

@testable import MicroHTTPServer

@Suite struct ExchangeStateTests {
    typealias Event = ExchangeState.Event

    /// A call of the machine with its expected result.
    enum Step: Sendable {
        case on(Event, ExchangeState.Action)
        case take(ExchangeState.Decision?)
    }

    @Test(
        "every sequence of events has its actions",
        arguments: [
            // An answer in time, and the deadline between it and the call.
            [.on(.suspended, .start), .on(.finished, .resume), .take(.response), .on(.completed, .none)],
            [
                .on(.suspended, .start), .on(.finished, .resume), .on(.interrupted(.deadline), .none), .take(.response),
            ],
            // The deadline passes while the task works, which ends after the call or before it.
            [
                .on(.suspended, .start), .on(.interrupted(.deadline), .cancelAndResume), .take(.deadline),
                .on(.finished, .discard), .on(.completed, .none),
            ],
            [
                .on(.suspended, .start), .on(.interrupted(.deadline), .cancelAndResume), .on(.finished, .discard),
                .take(.deadline),
            ],
            // The client leaves while the task works; the handler is called again or not.
            [
                .on(.suspended, .start), .on(.interrupted(.nothing), .cancelAndResume), .take(.nothing),
                .on(.completed, .none), .on(.finished, .discard),
            ],
            [
                .on(.suspended, .start), .on(.interrupted(.nothing), .cancelAndResume), .on(.completed, .none),
                .on(.finished, .discard),
            ],
            // Before the suspension the client leaves, the drain ends, or both.
            [.on(.interrupted(.nothing), .none), .on(.suspended, .resume), .take(.nothing)],
            [.on(.interrupted(.draining), .none), .on(.suspended, .resume), .take(.draining)],
            [
                .on(.interrupted(.nothing), .none), .on(.interrupted(.draining), .none), .on(.suspended, .resume),
                .take(.nothing),
            ],
            // The drain ends while the task works.
            [
                .on(.suspended, .start), .on(.interrupted(.draining), .cancelAndResume),
                .on(.interrupted(.deadline), .none), .on(.interrupted(.nothing), .none), .take(.draining),
            ],
            // The request ends without a suspension.
            [
                .on(.interrupted(.nothing), .none), .on(.interrupted(.deadline), .none),
                .on(.interrupted(.draining), .none), .on(.completed, .none),
            ],
            // An answer is given once.
            [
                .on(.suspended, .start), .on(.finished, .resume), .take(.response), .take(nil),
                .on(.interrupted(.nothing), .none), .on(.interrupted(.draining), .none),
            ],
        ] as [[Step]]
    )
    func history(_ steps: [Step]) {
        var state = ExchangeState()
        for (index, step) in steps.enumerated() {
            switch step {
            case .on(let event, let expected): #expect(state.on(event) == expected, "step \(index), \(event)")
            case .take(let expected): #expect(state.nextDecision() == expected, "step \(index)")
            }
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
            var isSuspended = false
            var isResumed = false
            var isStarted = false
            // The worker's own events come in order. The others come at any time, and a task's end after its start.
            let reasons: [ExchangeState.Decision] = [.deadline, .nothing, .draining, .nothing]
            var others = reasons.map(Event.interrupted).shuffled(using: &generator)
            var hasSuspended = false
            for _ in 0..<12 {
                let event: Event
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where !hasSuspended: (event, hasSuspended) = (.suspended, true)
                case 1 where isStarted: (event, isStarted) = (.finished, false)
                case 2 where isResumed:
                    _ = state.nextDecision()
                    continue
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
            _ = state.on(.interrupted(.draining))
            if state.phase == .resumed { isResumed = true }
            #expect(isResumed, "what the drain has told to stop is resumed")
        }
    }
}
