import Primitives
import Testing

@Suite("SingleFlight")
struct SingleFlightTests {
    @Test("the first caller starts a fetch, the others join it")
    func joins() {
        var machine = SingleFlight<String>()
        let first = machine.join("a")
        guard case .starts(let flight, _) = first else {
            Issue.record("the first must start")
            return
        }
        let second = machine.join("a")
        #expect(second == .joins(flight, second.waiter))
        let joined1 = machine.join("b")
        #expect(joined1.flight != flight)
        let answered2 = machine.finished(flight)
        #expect(answered2 == [first.waiter, second.waiter])
    }

    @Test("when the caller that started the fetch leaves, the others keep it (buildbuddy 7199, trufflehog 4314)")
    func leaderLeaves() {
        var machine = SingleFlight<String>()
        let leader = machine.join("a")
        let other = machine.join("a")
        let left3 = machine.leave(leader.waiter)
        #expect(left3 == .nothing)
        let answered4 = machine.finished(leader.flight)
        #expect(answered4 == [other.waiter])
    }

    @Test("the key stays taken while the fetch runs, so no second fetch starts (janos/singleflight 4)")
    func keyStaysTaken() {
        var machine = SingleFlight<String>()
        let only = machine.join("a")
        guard case .lingers(let flight, let linger) = machine.leave(only.waiter) else {
            Issue.record("the last one's departure must linger")
            return
        }
        let back = machine.join("a")
        #expect(back == .joins(flight, back.waiter))
        let isCancelled5 = machine.lingered(flight, linger)
        #expect(!isCancelled5)
        let answered6 = machine.finished(flight)
        #expect(answered6 == [back.waiter])
    }

    @Test("a fetch leaves the table before it is cancelled, so the next caller starts a new one (tailscale 18919)")
    func newcomerStartsAfresh() {
        var machine = SingleFlight<String>()
        let only = machine.join("a")
        guard case .lingers(let flight, let linger) = machine.leave(only.waiter) else {
            Issue.record("the last one's departure must linger")
            return
        }
        let isCancelled7 = machine.lingered(flight, linger)
        #expect(isCancelled7)
        let newcomer = machine.join("a")
        #expect(newcomer.flight != flight)
        let answered8 = machine.finished(flight)
        #expect(answered8.isEmpty, "the cancelled fetch has no waiter")
        let answered9 = machine.finished(newcomer.flight)
        #expect(answered9 == [newcomer.waiter])
    }

    @Test("the end of an old linger is ignored after another caller came and left")
    func oldLinger() {
        var machine = SingleFlight<String>()
        let first = machine.join("a")
        guard case .lingers(let flight, let old) = machine.leave(first.waiter) else {
            Issue.record("the last one's departure must linger")
            return
        }
        let second = machine.join("a")
        guard case .lingers(_, let new) = machine.leave(second.waiter) else {
            Issue.record("the last one's departure must linger")
            return
        }
        let isCancelled10 = machine.lingered(flight, old)
        #expect(!isCancelled10)
        let isCancelled11 = machine.lingered(flight, new)
        #expect(isCancelled11)
    }

    @Test("a fetch that is wanted without waiters continues when its waiters leave")
    func wanted() throws {
        var machine = SingleFlight<String>()
        let began = machine.want("a")
        let flight = try #require(began)
        let wanted12 = machine.want("a")
        #expect(wanted12 == nil)
        let waiter = machine.join("a")
        #expect(waiter == .joins(flight, waiter.waiter))
        let left13 = machine.leave(waiter.waiter)
        #expect(left13 == .nothing)
        let answered14 = machine.finished(flight)
        #expect(answered14.isEmpty)
        #expect(machine.count == 0)
    }

    @Test("leaving twice, or after the end, has no effect")
    func leavesTwice() {
        var machine = SingleFlight<String>()
        let waiter = machine.join("a")
        let answered15 = machine.finished(waiter.flight)
        #expect(answered15 == [waiter.waiter])
        let left16 = machine.leave(waiter.waiter)
        #expect(left16 == .nothing)
        #expect(machine.count == 0)
    }
}
