/// Selects the entry of a cache to evict when space is needed.
///
/// Entries are slots: small numbers that the cache assigns and reuses. A policy is therefore a few arrays of numbers,
/// and a hit needs no hash table.
protocol EvictionPolicy: Sendable {
    init()

    /// Records that a slot was filled with `cost` bytes; `key` is the hash of the entry's key, also for a later entry.
    mutating func inserted(_ slot: Int, key: Int, cost: Int)

    /// Records that a slot was read.
    mutating func hit(_ slot: Int)

    /// Records that a slot becomes empty, by eviction or otherwise.
    mutating func removed(_ slot: Int)

    /// Returns the next slot to evict; nil if there is none. The cache then calls `removed` with it.
    mutating func victim() -> Int?
}

/// A doubly linked list of slots, from the newest at the head to the oldest at the tail.
struct SlotList: Sendable {
    private struct Links {
        var newer = SlotList.none
        var older = SlotList.none
    }

    static let none = -1
    private var links: [Links] = []
    private(set) var head = SlotList.none
    private(set) var tail = SlotList.none

    init() {}

    mutating func pushHead(_ slot: Int) {
        while links.count <= slot { links.append(Links()) }
        links[slot] = Links(newer: SlotList.none, older: head)
        if head != SlotList.none { links[head].newer = slot } else { tail = slot }
        head = slot
    }

    mutating func remove(_ slot: Int) {
        let (newer, older) = (links[slot].newer, links[slot].older)
        if newer != SlotList.none { links[newer].older = older } else { head = older }
        if older != SlotList.none { links[older].newer = newer } else { tail = newer }
    }

    /// Returns the next slot towards the head.
    func newer(than slot: Int) -> Int { links[slot].newer }
}

/// Evicts the least recently used entry.
struct LRU: EvictionPolicy {
    private var list = SlotList()

    init() {}

    mutating func inserted(_ slot: Int, key: Int, cost: Int) { list.pushHead(slot) }

    mutating func hit(_ slot: Int) {
        guard list.head != slot else { return }
        list.remove(slot)
        list.pushHead(slot)
    }

    mutating func removed(_ slot: Int) { list.remove(slot) }

    mutating func victim() -> Int? { list.tail == SlotList.none ? nil : list.tail }
}

/// SIEVE (Zhang et al., NSDI 2024): a hand moves from the oldest entry to the newest and evicts the first one that was
/// not read since its last pass.
///
/// New entries are inserted at the head.
struct SIEVE: EvictionPolicy {
    private var list = SlotList()
    private var visited: [Bool] = []
    private var hand = SlotList.none

    init() {}

    mutating func inserted(_ slot: Int, key: Int, cost: Int) {
        while visited.count <= slot { visited.append(false) }
        visited[slot] = false
        list.pushHead(slot)
    }

    mutating func hit(_ slot: Int) { visited[slot] = true }

    mutating func removed(_ slot: Int) {
        if hand == slot { hand = list.newer(than: slot) }
        list.remove(slot)
    }

    mutating func victim() -> Int? {
        guard list.tail != SlotList.none else { return nil }
        var candidate = hand == SlotList.none ? list.tail : hand
        while visited[candidate] {
            visited[candidate] = false
            let newer = list.newer(than: candidate)
            candidate = newer == SlotList.none ? list.tail : newer
        }
        hand = candidate
        return candidate
    }
}

/// S3-FIFO (Yang et al., SOSP 2023), by bytes.
///
/// A small queue has new entries. Those that were read in it, or that return soon after their eviction, enter the main
/// queue. The keys of entries evicted from the small queue are kept to detect their return.
struct S3FIFO: EvictionPolicy {
    private struct Entry {
        var key = 0
        var cost = 0
        /// The number of reads since the insertion or the last pass, up to 3.
        var reads = 0
        var isInMain = false
    }

    private var entries: [Entry] = []
    private var small = SlotList()
    private var main = SlotList()
    private var smallCost = 0
    private var mainCost = 0
    private var mainCount = 0
    /// The keys evicted from the small queue, oldest first; at most as many as the main queue has entries.
    private var ghosts: [Int] = []
    private var ghostCount: [Int: Int] = [:]

    init() {}

    mutating func inserted(_ slot: Int, key: Int, cost: Int) {
        while entries.count <= slot { entries.append(Entry()) }
        let comesBack = ghostCount[key] != nil
        entries[slot] = Entry(key: key, cost: cost, isInMain: comesBack)
        if comesBack { pushMain(slot) } else { pushSmall(slot) }
    }

    mutating func hit(_ slot: Int) { entries[slot].reads = min(3, entries[slot].reads + 1) }

    mutating func removed(_ slot: Int) {
        if entries[slot].isInMain {
            main.remove(slot)
            mainCost -= entries[slot].cost
            mainCount -= 1
        } else {
            small.remove(slot)
            smallCost -= entries[slot].cost
        }
    }

    mutating func victim() -> Int? {
        // The small queue has a tenth of the capacity.
        while small.tail != SlotList.none, main.tail == SlotList.none || smallCost * 10 > smallCost + mainCost {
            let slot = small.tail
            if entries[slot].reads == 0 {
                remember(entries[slot].key)
                return slot
            }
            removed(slot)
            entries[slot].reads = 0
            entries[slot].isInMain = true
            pushMain(slot)
        }
        while main.tail != SlotList.none {
            let slot = main.tail
            if entries[slot].reads == 0 { return slot }
            entries[slot].reads -= 1
            main.remove(slot)
            main.pushHead(slot)
        }
        return nil
    }

    private mutating func pushSmall(_ slot: Int) {
        small.pushHead(slot)
        smallCost += entries[slot].cost
    }

    private mutating func pushMain(_ slot: Int) {
        main.pushHead(slot)
        mainCost += entries[slot].cost
        mainCount += 1
    }

    private mutating func remember(_ key: Int) {
        ghosts.append(key)
        ghostCount[key, default: 0] += 1
        let surplus = ghosts.count - max(16, mainCount)
        // Keys are removed in batches, because each removal moves the rest.
        guard surplus > 64 else { return }
        for key in ghosts.prefix(surplus) {
            ghostCount[key] = ghostCount[key].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        ghosts.removeFirst(surplus)
    }
}
