/// A cache with a limit on the sum of its entries' costs, such as their bytes.
///
/// It evicts by SIEVE (Zhang et al., NSDI 2024): a hand moves from the oldest entry to the newest, keeps those that
/// were read since it last passed, and evicts the first that was not. A hit sets one bit and relinks nothing. A scan
/// through many entries does not evict those that are read again and again (docs/image-cache.md has the comparison).
///
/// Public and inlinable, because the compiler makes code for the types of another module only from such methods.
public struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The index of an entry; freed ones are used again.
    @usableFromInline typealias Slot = Int32

    @usableFromInline
    struct Entry: Sendable {
        let key: Key
        @usableFromInline var value: Value
        @usableFromInline var cost: Int
        @usableFromInline var wasRead = false
        /// The entries that were added before and after this one.
        var older: Slot?
        var newer: Slot?
    }

    /// The largest sum of costs.
    @usableFromInline package let capacity: Int
    /// The largest cost of one entry; a more expensive one would evict too many others and is not kept.
    @usableFromInline package let largestEntry: Int
    /// The sum of costs.
    @usableFromInline package internal(set) var cost = 0
    @usableFromInline var entries: [Entry?] = []
    @usableFromInline var slots: [Key: Slot] = [:]
    private var free: [Slot] = []
    private var oldest: Slot?
    private var newest: Slot?
    private var hand: Slot?

    /// Creates an empty cache; one entry may cost `largestShare` of the capacity.
    package init(capacity: Int, largestShare: Double = 1) {
        self.capacity = capacity
        largestEntry = Int.clamping(Double(capacity) * largestShare)
    }

    /// The number of entries.
    package var count: Int { slots.count }

    /// Returns the value of a key, and notes that it was read.
    @inlinable
    public mutating func value(for key: Key) -> Value? {
        guard let slot = slots[key] else { return nil }
        entries[Int(slot)]?.wasRead = true
        return entries[Int(slot)]?.value
    }

    /// Returns the value of a key without noting that it was read.
    package func peek(_ key: Key) -> Value? {
        slots[key].flatMap { entries[Int($0)]?.value }
    }

    /// Stores a value, in place of an older one of the same key, and evicts others if needed.
    ///
    /// - Returns: false if the value costs too much; the key has no value then.
    @inlinable
    @discardableResult
    public mutating func insert(_ value: Value, for key: Key, cost entryCost: Int) -> Bool {
        guard let slot = slots[key], let former = entries[Int(slot)]?.cost, entryCost <= largestEntry,
            cost - former + entryCost <= capacity
        else { return add(value, for: key, cost: entryCost) }
        entries[Int(slot)]?.value = value
        entries[Int(slot)]?.cost = entryCost
        entries[Int(slot)]?.wasRead = true
        cost += entryCost - former
        return true
    }

    /// Stores a value for which others may have to go.
    @usableFromInline
    mutating func add(_ value: Value, for key: Key, cost entryCost: Int) -> Bool {
        remove(key)
        guard entryCost <= largestEntry else { return false }
        while cost + entryCost > capacity, let victim = nextVictim() { empty(victim) }
        let slot = free.popLast() ?? Slot(clamping: entries.count)
        if Int(slot) == entries.count { entries.append(nil) }
        entries[Int(slot)] = Entry(key: key, value: value, cost: entryCost, older: newest)
        if let newest { entries[Int(newest)]?.newer = slot } else { oldest = slot }
        newest = slot
        slots[key] = slot
        cost += entryCost
        return true
    }

    /// Removes the value of a key.
    package mutating func remove(_ key: Key) {
        if let slot = slots[key] { empty(slot) }
    }

    /// Moves the hand to the first entry that was not read since the hand last passed it; nil if the cache is empty.
    private mutating func nextVictim() -> Slot? {
        guard let oldest else { return nil }
        var candidate = hand ?? oldest
        while entries[Int(candidate)]?.wasRead == true {
            entries[Int(candidate)]?.wasRead = false
            candidate = entries[Int(candidate)]?.newer ?? oldest
        }
        hand = candidate
        return candidate
    }

    private mutating func empty(_ slot: Slot) {
        guard let entry = entries[Int(slot)] else { return }
        if hand == slot { hand = entry.newer }
        if let older = entry.older { entries[Int(older)]?.newer = entry.newer } else { oldest = entry.newer }
        if let newer = entry.newer { entries[Int(newer)]?.older = entry.older } else { newest = entry.older }
        slots[entry.key] = nil
        entries[Int(slot)] = nil
        free.append(slot)
        cost -= entry.cost
    }
}
