import Primitives

/// `BoundedCache` with any eviction policy, to compare policies; the service uses SIEVE only.
struct PolicyCache<Key: Hashable & Sendable, Value: Sendable, Policy: EvictionPolicy>: Sendable {
    private struct Entry {
        let key: Key
        var value: Value
        let cost: Int
    }

    /// The largest sum of costs.
    let capacity: Int
    /// The largest cost of one entry.
    let largestEntry: Int
    private(set) var cost = 0
    private var slots: [Entry?] = []
    private var free: [Int] = []
    private var slotOf: [Key: Int] = [:]
    private var policy = Policy()

    /// Creates an empty cache; one entry may have `largestShare` of the capacity.
    init(capacity: Int, largestShare: Double = 1) {
        self.capacity = capacity
        largestEntry = Int.clamping(Double(capacity) * largestShare)
    }

    var count: Int { slotOf.count }

    /// Returns the value of a key, and counts this as a read.
    mutating func value(for key: Key) -> Value? {
        guard let slot = slotOf[key] else { return nil }
        policy.hit(slot)
        return slots[slot]?.value
    }

    /// Returns the value of a key without counting a read.
    func peek(_ key: Key) -> Value? {
        slotOf[key].flatMap { slots[$0]?.value }
    }

    /// Stores a value, evicts entries for it, and replaces the value of the same key.
    ///
    /// Returns false if the value is too large; the key then has no value.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key, cost entryCost: Int) -> Bool {
        if let slot = slotOf[key], slots[slot]?.cost == entryCost {
            slots[slot]?.value = value
            policy.hit(slot)
            return true
        }
        remove(key)
        guard entryCost <= largestEntry else { return false }
        while cost + entryCost > capacity, let victim = policy.victim() { empty(victim) }
        let slot = free.popLast() ?? slots.endIndex
        if slot == slots.endIndex { slots.append(nil) }
        slots[slot] = Entry(key: key, value: value, cost: entryCost)
        slotOf[key] = slot
        cost += entryCost
        policy.inserted(slot, key: key.hashValue, cost: entryCost)
        return true
    }

    mutating func remove(_ key: Key) {
        if let slot = slotOf[key] { empty(slot) }
    }

    private mutating func empty(_ slot: Int) {
        guard let entry = slots[slot] else { return }
        policy.removed(slot)
        slotOf[entry.key] = nil
        slots[slot] = nil
        free.append(slot)
        cost -= entry.cost
    }
}
