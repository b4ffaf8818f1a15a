import Primitives

/// A hashed timing wheel (Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", 1987).
///
/// The wheel has a list of slots for every tick of a turn. A slot is due at the tick of its deadline, once in every turn.
/// For a distant deadline that is too early: the caller compares the deadline and adds the slot again. A deadline that
/// moves with every write therefore costs nothing until its old tick, and no caller has to visit all slots.
struct TimerWheel: Sendable {
    /// The length of a tick, in milliseconds.
    static let tick = 1000
    /// The ticks of one turn, about two minutes.
    static let ticks = 128

    private var lists = SlotLists(count: TimerWheel.ticks)
    /// The last tick that was reached.
    private var now: Int

    init(now: WallTime) {
        self.now = now.milliseconds / TimerWheel.tick
    }

    /// Adds a slot, which must not be on the wheel, to the first tick after its deadline.
    mutating func add(_ slot: SlotLists.Slot, deadline: WallTime) {
        let due = (deadline.milliseconds + TimerWheel.tick - 1) / TimerWheel.tick
        lists.append(slot, to: max(due, now + 1) % TimerWheel.ticks)
    }

    mutating func remove(_ slot: SlotLists.Slot) {
        lists.remove(slot)
    }

    /// Turns the wheel to a moment; removes and returns the slots of all ticks up to it.
    mutating func advance(to moment: WallTime) -> [SlotLists.Slot] {
        let end = moment.milliseconds / TimerWheel.tick
        guard end > now else { return [] }
        var due: [SlotLists.Slot] = []
        // A whole turn reaches every tick.
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
