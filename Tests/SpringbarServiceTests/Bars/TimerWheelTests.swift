import Primitives
import TestSupport
import Testing

@testable import SpringbarService

@Suite("The timer wheel")
struct TimerWheelTests {
    private func moment(_ seconds: Int) -> WallTime { WallTime(milliseconds: 5_000_000 + seconds * 1000) }

    @Test("a slot is due at its deadline, not before")
    func deadline() {
        var wheel = TimerWheel(now: moment(0))
        wheel.add(7, deadline: moment(3))
        #expect(wheel.advance(to: moment(2)) == [])
        #expect(wheel.advance(to: moment(3)) == [7])
        #expect(wheel.advance(to: moment(4)) == [])
    }

    @Test("a deadline within a second is due at the end of that second")
    func fraction() {
        var wheel = TimerWheel(now: moment(0))
        wheel.add(1, deadline: WallTime(milliseconds: moment(3).milliseconds + 1))
        #expect(wheel.advance(to: moment(3)) == [])
        #expect(wheel.advance(to: moment(4)) == [1])
    }

    @Test("a deadline beyond one turn is returned once in each turn")
    func farDeadline() {
        var wheel = TimerWheel(now: moment(0))
        wheel.add(1, deadline: moment(1000))
        var looks = 0
        for second in 1..<1000 {
            for slot in wheel.advance(to: moment(second)) {
                looks += 1
                wheel.add(slot, deadline: moment(1000))
            }
        }
        #expect(looks == 1000 / TimerWheel.ticks)
        #expect(wheel.advance(to: moment(1000)) == [1])
    }

    @Test("a past deadline is due at the next tick")
    func pastDeadline() {
        var wheel = TimerWheel(now: moment(10))
        wheel.add(1, deadline: moment(5))
        #expect(wheel.advance(to: moment(10)) == [])
        #expect(wheel.advance(to: moment(11)) == [1])
    }

    @Test("after a long sleep all slots are due")
    func sleep() {
        var wheel = TimerWheel(now: moment(0))
        for slot in 0..<300 { wheel.add(SlotLists.Slot(slot), deadline: moment(slot + 1)) }
        #expect(Set(wheel.advance(to: moment(100_000))) == Set(0..<300))
    }

    @Test("random adds, removals and steps have the results of a plain list", arguments: 1...20)
    func model(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var wheel = TimerWheel(now: moment(0))
        var model: [SlotLists.Slot: Int] = [:]
        var now = 0
        for _ in 0..<2000 {
            let slot = SlotLists.Slot.random(in: 0..<50, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                if model[slot] == nil {
                    model[slot] = now + Int.random(in: 1...400, using: &random)
                    wheel.add(slot, deadline: moment(model[slot] ?? 0))
                }
            case 2:
                model[slot] = nil
                wheel.remove(slot)
            default:
                now += Int.random(in: 0...60, using: &random)
                var due: Set<SlotLists.Slot> = []
                for slot in wheel.advance(to: moment(now)) {
                    if let deadline = model[slot], deadline > now {
                        wheel.add(slot, deadline: moment(deadline))
                    } else {
                        due.insert(slot)
                    }
                }
                #expect(due == Set(model.filter { $0.value <= now }.keys))
                model = model.filter { $0.value > now }
            }
        }
    }
}
