/// A cache of bounded size that forgets what was not asked for since the hand came by last (the CLOCK algorithm,
/// Corbató 1968).
///
/// Nearly as good as forgetting the least recently used, and a hit is a look-up and one bit: no list is relinked, so
/// the lock around it is held for a few dozen nanoseconds.
struct ClockCache<Value> {
    private struct Slot {
        var key: String
        var value: Value
        var cost: Int
        var wasUsed: Bool
    }

    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var index: [String: Int] = [:]
    private var hand = 0
    /// The cost of all entries together; never above the limit.
    private(set) var cost = 0
    /// What the entries may cost together.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { index.count }

    /// The value of `key`, if it is still there.
    mutating func value(for key: String) -> Value? {
        guard let position = index[key] else { return nil }
        slots[position]?.wasUsed = true
        return slots[position]?.value
    }

    /// Keeps a value that costs at least 1; one that costs more than a quarter of the limit would push out too many
    /// others, and is not kept.
    mutating func insert(_ value: Value, for key: String, cost: Int) {
        guard index[key] == nil, cost <= limit / 4 else { return }
        while self.cost + cost > limit { evictOne() }
        let slot = Slot(key: key, value: value, cost: cost, wasUsed: false)
        let position: Int
        if let unused = free.popLast() {
            position = unused
            slots[position] = slot
        } else {
            position = slots.count
            slots.append(slot)
        }
        index[key] = position
        self.cost += cost
    }

    private mutating func evictOne() {
        while true {
            if hand >= slots.count { hand = 0 }
            defer { hand += 1 }
            guard let slot = slots[hand] else { continue }
            guard !slot.wasUsed else {
                slots[hand]?.wasUsed = false
                continue
            }
            slots[hand] = nil
            free.append(hand)
            index[slot.key] = nil
            cost -= slot.cost
            return
        }
    }
}
