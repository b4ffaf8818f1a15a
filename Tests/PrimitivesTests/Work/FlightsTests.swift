import Primitives
import Synchronization
import TestSupport
import Testing

@Suite("Flights")
struct FlightsTests {
    private struct FetchFailed: Error, Equatable {}

    @Test("three hundred callers share one fetch, and all but one learn that they joined it")
    func coalesces() async throws {
        let flights = Flights<String, Void, Int>()
        let gate = Gate()
        let outcomes = try await withThrowingTaskGroup(of: (value: Int, isCollapsed: Bool).self) { group in
            for _ in 0..<300 { group.addTask { try await flights.value(for: "a") { try await gate.pass() } } }
            // All of them: a caller after the end rightly starts another fetch.
            try await waitUntil { flights.waiters >= 300 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(gate.starts == 1)
        #expect(outcomes.allSatisfy { $0.value == 1 })
        #expect(outcomes.filter { !$0.isCollapsed }.count == 1)
        #expect(flights.count == 0)
    }

    @Test("the caller that started the fetch is cancelled at once, and the others get the value")
    func leaderLeaves() async throws {
        let flights = Flights<String, Void, Int>(linger: .zero)
        let gate = Gate()
        let leader = Task { try await flights.value(for: "a") { try await gate.pass() } }
        try await waitUntil { gate.starts > 0 }
        let other = Task { try await flights.value(for: "a") { try await gate.pass() } }
        try await waitUntil { flights.waiters >= 2 }
        leader.cancel()
        await #expect(throws: CancellationError.self) { try await leader.value }
        gate.open()
        #expect(try await other.value.value == 1)
        #expect(gate.starts == 1)
        #expect(gate.cancellations == 0)
        #expect(flights.abandoned == 0)
    }

    @Test("the fetch is cancelled when the last caller has left")
    func stopsWithTheLast() async throws {
        let flights = Flights<String, Void, Int>(linger: .milliseconds(1))
        let gate = Gate()
        let askers = (0..<5).map { _ in Task { try await flights.value(for: "a") { try await gate.pass() } } }
        try await waitUntil { gate.starts > 0 && flights.waiters >= 5 }
        for asker in askers { asker.cancel() }
        for asker in askers { await #expect(throws: CancellationError.self) { try await asker.value } }
        try await waitUntil { gate.cancellations > 0 }
        #expect(flights.count == 0)
        #expect(flights.abandoned == 1)
        gate.open()
        #expect(try await flights.value(for: "a") { try await gate.pass() }.value == 2)
    }

    @Test("after the last caller has left, the fetch continues for a tenth of a second")
    func linger() async throws {
        let clock = StepClock()
        let flights = Flights<String, Void, Int>(clock: clock)
        let gate = Gate()
        let asker = Task { try await flights.value(for: "a") { try await gate.pass() } }
        try await waitUntil { gate.starts > 0 }
        asker.cancel()
        try await waitUntil { clock.sleepers > 0 }
        clock.advance(by: .milliseconds(99))
        #expect(clock.sleepers == 1)
        #expect(flights.count == 1)
        clock.advance(by: .milliseconds(1))
        try await waitUntil { gate.cancellations > 0 }
        #expect(flights.count == 0)
        #expect(flights.abandoned == 1)
        await #expect(throws: CancellationError.self) { try await asker.value }
    }

    @Test("a caller that comes back in time joins the same fetch")
    func comesBack() async throws {
        let clock = StepClock()
        let flights = Flights<String, Void, Int>(clock: clock)
        let gate = Gate()
        let first = Task { try await flights.value(for: "a") { try await gate.pass() } }
        try await waitUntil { gate.starts > 0 }
        first.cancel()
        try await waitUntil { clock.sleepers > 0 }
        await #expect(throws: CancellationError.self) { try await first.value }
        clock.advance(by: .milliseconds(99))
        let second = Task { try await flights.value(for: "a") { try await gate.pass() } }
        try await waitUntil { flights.waiters > 0 }
        clock.advance(by: .seconds(1))
        gate.open()
        #expect(try await second.value.value == 1)
        #expect(gate.cancellations == 0)
        #expect(flights.abandoned == 0)
    }

    @Test("the end of an old linger is ignored after another caller came and left")
    func oldLinger() async throws {
        let clock = StepClock()
        let flights = Flights<String, Void, Int>(clock: clock)
        let gate = Gate()
        flights.release(try flights.join("a", ()) { try await gate.pass() })
        try await waitUntil { gate.starts > 0 && clock.sleepers == 1 }
        clock.advance(by: .milliseconds(60))
        let second = try flights.join("a", ()) { try await gate.pass() }
        #expect(second.isCollapsed)
        flights.release(second)
        flights.release(second)
        try await waitUntil { clock.sleepers == 2 }
        clock.advance(by: .milliseconds(60))
        try await waitUntil { clock.sleepers == 1 }
        #expect(flights.count == 1)
        clock.advance(by: .milliseconds(40))
        try await waitUntil { gate.cancellations > 0 }
        #expect(flights.abandoned == 1)
    }

    @Test("a fetch that is wanted without waiters continues when its waiters leave")
    func wanted() async throws {
        let flights = Flights<String, Void, Int>(linger: .zero)
        let gate = Gate()
        flights.release(try flights.join("b", ()) { 1 })
        #expect(flights.want("a") { try await gate.pass() })
        flights.release(try flights.join("a", ()) { 2 })
        let waiter = try flights.join("a", ()) { 3 }
        gate.open()
        #expect(try await flights.value(of: waiter) == 1)
        #expect(gate.cancellations == 0)
        #expect(flights.count == 0)
    }

    @Test("a caller never receives the cancellation of another one, in a thousand rounds")
    func cancelAndAskAgain() async throws {
        let flights = Flights<String, Void, Int>(linger: .zero)
        for round in 0..<1000 {
            let gate = Gate()
            let first = Task { try await flights.value(for: "a") { try await gate.pass() } }
            if round.isMultiple(of: 2) { try await waitUntil { gate.starts > 0 } }
            first.cancel()
            let second = Task { try await flights.value(for: "a") { try await gate.pass() } }
            gate.open()
            _ = try await second.value
            _ = try? await first.value
        }
        // A task that was cancelled before it started may have joined last, and started a fetch without waiters.
        #expect(await blocking { eventually { flights.count == 0 } })
    }

    @Test("an error reaches all callers, and the next caller starts a new fetch")
    func errors() async throws {
        let flights = Flights<String, Void, Int>()
        await #expect(throws: FetchFailed()) {
            try await flights.value(for: "a") { throw FetchFailed() }
        }
        #expect(try await flights.value(for: "a") { 7 }.value == 7)
    }

    @Test("stop cancels running fetches and refuses new ones")
    func stops() async throws {
        let flights = Flights<String, Void, Int>()
        let gate = Gate()
        #expect(flights.want("a") { try await gate.pass() })
        #expect(!flights.want("a") { try await gate.pass() })
        try await waitUntil { gate.starts > 0 }
        await flights.stop()
        #expect(gate.cancellations == 1)
        #expect(flights.count == 0)
        await #expect(throws: CancellationError.self) { try await flights.value(for: "b") { 1 } }
    }
}
