import TestSupport
import Testing

@testable import MicroHTTPServer

@Suite struct StreamStateTests {
    typealias Step = (event: StreamState.Event, action: StreamState.Action)

    /// Returns a sequence that begins with a read that finds nothing, and the suspension.
    private static func parked(_ steps: Step...) -> [Step] {
        [(.pull, .read), (.nothing, .suspend), (.suspended, .none)] + steps
    }

    @Test(
        "every sequence of events has its actions",
        arguments: [
            [(.pull, .read), (.pull, .read)],
            // Woken while parked, twice, before the read has returned, before the suspension, and without need.
            parked((.wake, .resume), (.pull, .read)), parked((.wake, .resume), (.wake, .none), (.pull, .read)),
            [(.pull, .read), (.wake, .none), (.nothing, .read)],
            [(.pull, .read), (.nothing, .suspend), (.wake, .none), (.suspended, .resume), (.pull, .read)],
            [(.wake, .none), (.pull, .read), (.wake, .none), (.pull, .read), (.nothing, .suspend)],
            // The client leaves while parked, during the read, before the suspension, while bytes are sent, and before.
            parked((.abandon, .resume), (.pull, .fail)),
            [(.pull, .read), (.abandon, .none), (.nothing, .fail)],
            [(.pull, .read), (.nothing, .suspend), (.abandon, .none), (.suspended, .resume), (.pull, .fail)],
            [(.pull, .read), (.abandon, .none), (.pull, .fail)],
            [(.abandon, .none), (.pull, .fail)],
            // Nothing happens after the end, and an end while parked leaves nothing to resume.
            [(.pull, .read), (.closed, .none), (.wake, .none), (.abandon, .none), (.pull, .none)],
            parked((.closed, .none), (.wake, .none)),
        ] as [[Step]]
    )
    func history(_ steps: [Step]) {
        var state = StreamState()
        for (index, step) in steps.enumerated() {
            #expect(state.on(step.event) == step.action, "step \(index), \(step.event)")
        }
    }

    @Test(
        "in any order of wakes and the worker's steps, no wake is lost and each suspension is resumed once",
        arguments: 0..<16
    )
    func wakesAtAnyTime(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            var state = StreamState()
            var suspensions = 0
            var resumptions = 0
            var isSuspended = false
            func wakeSometimes() {
                guard Bool.random(using: &generator) else { return }
                if state.on(.wake) == .resume {
                    #expect(isSuspended)
                    resumptions += 1
                    isSuspended = false
                }
            }
            for _ in 0..<50 {
                guard !isSuspended else {
                    wakeSometimes()
                    continue
                }
                wakeSometimes()
                #expect(state.on(.pull) == .read)
                wakeSometimes()
                guard Bool.random(using: &generator) else {
                    continue
                }
                var action = state.on(.nothing)
                while action == .read { action = state.on(.nothing) }
                #expect(action == .suspend)
                let woken = Bool.random(using: &generator)
                if woken { #expect(state.on(.wake) == .none) }
                suspensions += 1
                isSuspended = true
                let after = state.on(.suspended)
                #expect((after == .resume) == woken)
                if after == .resume {
                    resumptions += 1
                    isSuspended = false
                }
            }
            #expect(suspensions == resumptions + (isSuspended ? 1 : 0))
        }
    }
}
