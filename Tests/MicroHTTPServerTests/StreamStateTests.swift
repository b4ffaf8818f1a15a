import TestSupport
import Testing

@testable import MicroHTTPServer

@Suite struct StreamStateTests {
    typealias Event = StreamState.Event
    typealias Action = StreamState.Action

    struct History: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [(Event, Action)]

        init(_ name: String, _ steps: [(Event, Action)]) {
            testDescription = name
            self.steps = steps
        }
    }

    static let histories = [
        History("bytes are there", [(.pull, .read), (.pull, .read)]),
        History(
            "woken while parked",
            [
                (.pull, .read), (.nothing, .suspend), (.suspended, .none), (.wake, .resume), (.pull, .read),
            ]
        ),
        History("woken before the read has returned", [(.pull, .read), (.wake, .none), (.nothing, .read)]),
        History(
            "woken between the read and the suspension",
            [
                (.pull, .read), (.nothing, .suspend), (.wake, .none), (.suspended, .resume), (.pull, .read),
            ]
        ),
        History(
            "woken twice",
            [
                (.pull, .read), (.nothing, .suspend), (.suspended, .none), (.wake, .resume), (.wake, .none),
                (.pull, .read),
            ]
        ),
        History(
            "woken without need",
            [
                (.wake, .none), (.pull, .read), (.wake, .none), (.pull, .read), (.nothing, .suspend),
            ]
        ),
        History(
            "the client leaves while parked",
            [
                (.pull, .read), (.nothing, .suspend), (.suspended, .none), (.abandon, .resume), (.pull, .fail),
            ]
        ),
        History("the client leaves during the read", [(.pull, .read), (.abandon, .none), (.nothing, .fail)]),
        History(
            "the client leaves between the read and the suspension",
            [
                (.pull, .read), (.nothing, .suspend), (.abandon, .none), (.suspended, .resume), (.pull, .fail),
            ]
        ),
        History(
            "the client leaves while bytes are sent",
            [
                (.pull, .read), (.abandon, .none), (.pull, .fail),
            ]
        ),
        History("abandoned before the first pull", [(.abandon, .none), (.pull, .fail)]),
        History(
            "nothing after the end",
            [
                (.pull, .read), (.closed, .none), (.wake, .none), (.abandon, .none), (.pull, .none),
            ]
        ),
        History(
            "the end while parked leaves nothing to resume",
            [
                (.pull, .read), (.nothing, .suspend), (.suspended, .none), (.closed, .none), (.wake, .none),
            ]
        ),
    ]

    @Test("every sequence of events has its actions", arguments: histories)
    func history(_ history: History) {
        var state = StreamState()
        for (index, (event, expected)) in history.steps.enumerated() {
            #expect(state.on(event) == expected, "step \(index), \(event)")
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
