import Primitives

/// When to look at what again: a hashed wheel (Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", 1987).
///
/// The rim has a list of slots for every tick. A slot is put on the tick of its deadline; the wheel gives it back when
/// that tick comes round, which for a far deadline is too early: whoever gets it looks at its own deadline and puts it
/// back. So a deadline that slides with every write costs nothing until its old tick comes, and nobody ever goes
/// through all slots.
struct TimerWheel: Sendable {
    /// The length of a tick, in milliseconds.
    static let tick = 1000
    /// The ticks of one turn: a slot is looked at once in two minutes at the least.
    static let ticks = 128

    private var lists = SlotLists(count: TimerWheel.ticks)
    /// The last tick that was given back.
    private var now: Int

    init(now: WallTime) {
        self.now = now.milliseconds / TimerWheel.tick
    }

    /// Puts a slot, which is not on the wheel, on the tick at which its deadline is over.
    mutating func add(_ slot: SlotLists.Slot, deadline: WallTime) {
        let due = (deadline.milliseconds + TimerWheel.tick - 1) / TimerWheel.tick
        lists.append(slot, to: max(due, now + 1) % TimerWheel.ticks)
    }

    mutating func remove(_ slot: SlotLists.Slot) {
        lists.remove(slot)
    }

    /// Turns to a moment, and takes off what stood on the ticks that came by.
    mutating func advance(to moment: WallTime) -> [SlotLists.Slot] {
        let end = moment.milliseconds / TimerWheel.tick
        guard end > now else { return [] }
        var due: [SlotLists.Slot] = []
        // After a whole turn every tick has come by.
        for tick in max(now + 1, end - TimerWheel.ticks + 1)...end {
            while let slot = lists.first(in: tick % TimerWheel.ticks) {
                lists.remove(slot)
                due.append(slot)
            }
        }
        now = end
        return due
    }
}
