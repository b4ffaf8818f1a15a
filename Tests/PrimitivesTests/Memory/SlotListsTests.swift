import Primitives
import Testing

@Suite("SlotLists")
struct SlotListsTests {
    @Test("lists keep their order while slots are removed from anywhere")
    func lists() {
        var lists = SlotLists(count: 2)
        for slot in 0..<6 { lists.append(SlotLists.Slot(slot), to: slot % 2) }
        lists.remove(2)
        lists.remove(2)
        lists.remove(99)
        lists.append(2, to: 0)
        #expect(lists.next(after: 0) == 4)
        #expect(lists.next(after: 2) == nil)
        #expect(lists.next(after: 99) == nil)
        func drain(_ list: Int) -> [SlotLists.Slot] {
            var slots: [SlotLists.Slot] = []
            while let slot = lists.first(in: list) {
                slots.append(slot)
                lists.remove(slot)
            }
            return slots
        }
        #expect(drain(0) == [0, 4, 2])
        #expect(drain(1) == [1, 3, 5])
        #expect(drain(0) == [])
    }

    @Test("freed numbers are reused first")
    func numbers() {
        var numbers = SlotNumbers()
        #expect((0..<3).map { _ in numbers.allocate() } == [0, 1, 2])
        numbers.give(1)
        #expect((0..<2).map { _ in numbers.allocate() } == [1, 3])
    }
}
