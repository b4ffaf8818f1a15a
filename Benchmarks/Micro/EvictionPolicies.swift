/// Decides which entry of a cache goes when there is no room.
///
/// Entries are slots, small numbers that the cache gives out and takes back, so that a policy is a few arrays of
/// numbers and a hit touches no hash table.
protocol EvictionPolicy: Sendable {
    init()

    /// A slot was filled with `cost` bytes; `key` is the hash of the entry's key, equal when it comes back.
    mutating func inserted(_ slot: Int, key: Int, cost: Int)

    /// A slot was read.
    mutating func hit(_ slot: Int)

    /// A slot is emptied, evicted or not.
    mutating func removed(_ slot: Int)

    /// The slot that has to go next; nil when there is none. The cache then calls `removed` with it.
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

    /// The next slot towards the head.
    func newer(than slot: Int) -> Int { links[slot].newer }
}

/// The least recently used entry goes.
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

/// SIEVE (Zhang et al., NSDI 2024): a hand goes from the oldest entry to the newest, spares those that were read since
/// it last came by, and takes the first that was not.
///
/// New entries come in at the head, behind the hand.
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

/// S3-FIFO (Yang et al., SOSP 2023), by bytes: a small queue on trial, a main queue for what was read there or comes
/// back soon, and the memory of what was thrown out of the small one.
struct S3FIFO: EvictionPolicy {
    private struct Entry {
        var key = 0
        var cost = 0
        /// Reads since it came or was last spared, up to 3.
        var reads = 0
        var isInMain = false
    }

    private var entries: [Entry] = []
    private var small = SlotList()
    private var main = SlotList()
    private var smallCost = 0
    private var mainCost = 0
    private var mainCount = 0
    /// The keys thrown out of the small queue, oldest first, as many as the main queue has entries.
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
        // The small queue has a tenth of the room.
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
        // Cut in strides, for each cut moves the rest.
        guard surplus > 64 else { return }
        for key in ghosts.prefix(surplus) {
            ghostCount[key] = ghostCount[key].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        ghosts.removeFirst(surplus)
    }
}
