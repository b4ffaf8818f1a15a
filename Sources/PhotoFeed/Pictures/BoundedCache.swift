import Primitives

/// A cache with a bound on the sum of its entries' costs: bytes for pictures, one each for what is counted.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable, Policy: EvictionPolicy>: Sendable {
    private struct Entry {
        let key: Key
        var value: Value
        let cost: Int
    }

    /// The greatest sum of costs.
    package let capacity: Int
    /// The greatest cost of an entry; a greater one is not taken in, for it would throw out too many others.
    package let largestEntry: Int
    package private(set) var cost = 0
    private var slots: [Entry?] = []
    private var free: [Int] = []
    private var slotOf: [Key: Int] = [:]
    private var policy = Policy()

    /// An empty cache, one entry of which may have `largestShare` of the capacity.
    package init(capacity: Int, largestShare: Double = 1) {
        self.capacity = capacity
        largestEntry = Int.clamping(Double(capacity) * largestShare)
    }

    package var count: Int { slotOf.count }

    /// The value, which counts as a use of it.
    package mutating func value(for key: Key) -> Value? {
        guard let slot = slotOf[key] else { return nil }
        policy.hit(slot)
        return slots[slot]?.value
    }

    /// The value, which does not count as a use.
    package func peek(_ key: Key) -> Value? {
        slotOf[key].flatMap { slots[$0]?.value }
    }

    /// Takes a value in and makes room for it; one of the same key goes.
    ///
    /// False when it is too large, and then there is no value for the key.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key, cost entryCost: Int) -> Bool {
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

    package mutating func remove(_ key: Key) {
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
