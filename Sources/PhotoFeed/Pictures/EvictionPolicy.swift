/// Decides which entry of a cache goes when there is no room.
///
/// Entries are slots, small numbers that the cache gives out and takes back, so that a policy is a few arrays of
/// numbers and a hit touches no hash table.
package protocol EvictionPolicy: Sendable {
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
package struct SlotList: Sendable {
    private struct Links {
        var newer = SlotList.none
        var older = SlotList.none
    }

    package static let none = -1
    private var links: [Links] = []
    package private(set) var head = SlotList.none
    package private(set) var tail = SlotList.none

    package init() {}

    package mutating func pushHead(_ slot: Int) {
        while links.count <= slot { links.append(Links()) }
        links[slot] = Links(newer: SlotList.none, older: head)
        if head != SlotList.none { links[head].newer = slot } else { tail = slot }
        head = slot
    }

    package mutating func remove(_ slot: Int) {
        let (newer, older) = (links[slot].newer, links[slot].older)
        if newer != SlotList.none { links[newer].older = older } else { head = older }
        if older != SlotList.none { links[older].newer = newer } else { tail = newer }
    }

    /// The next slot towards the head.
    package func newer(than slot: Int) -> Int { links[slot].newer }
}
