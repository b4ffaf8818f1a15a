/// Doubly linked lists over one array of nodes: adding at the end, removing from anywhere and finding the first node
/// each take constant time.
///
/// A node is a slot, identified by its number. A slot is in one list or in none.
@usableFromInline
package struct SlotLists: Sendable {
    @usableFromInline package typealias Slot = Int32

    private static let none: Slot = -1

    private struct Node: Sendable {
        var previous = SlotLists.none
        var next = SlotLists.none
        var list = SlotLists.none
    }

    private var nodes: [Node] = []
    private var firsts: [Slot]
    private var lasts: [Slot]

    /// - Parameter count: the number of lists, all empty.
    package init(count: Int) {
        firsts = Array(repeating: SlotLists.none, count: count)
        lasts = firsts
    }

    /// The number of lists.
    package var count: Int { firsts.count }

    /// Returns the slot that has been in a list for the longest time; nil if the list is empty.
    package func first(in list: Int) -> Slot? {
        firsts[list] == SlotLists.none ? nil : firsts[list]
    }

    /// Returns the slot that was added to the same list after this one; nil if it is the last, or in no list.
    package func next(after slot: Slot) -> Slot? {
        guard nodes.indices.contains(Int(slot)), nodes[Int(slot)].next != SlotLists.none else { return nil }
        return nodes[Int(slot)].next
    }

    /// Adds a slot, which is in no list, at the end of a list.
    package mutating func append(_ slot: Slot, to list: Int) {
        while nodes.count <= Int(slot) { nodes.append(Node()) }
        precondition(nodes[Int(slot)].list == SlotLists.none, "the slot is in a list")
        let last = lasts[list]
        nodes[Int(slot)] = Node(previous: last, next: SlotLists.none, list: Slot(list))
        if last == SlotLists.none { firsts[list] = slot } else { nodes[Int(last)].next = slot }
        lasts[list] = slot
    }

    /// Removes a slot from its list; does nothing if it is in none.
    package mutating func remove(_ slot: Slot) {
        guard nodes.indices.contains(Int(slot)), nodes[Int(slot)].list != SlotLists.none else { return }
        let node = nodes[Int(slot)]
        let list = Int(node.list)
        if node.previous == SlotLists.none {
            firsts[list] = node.next
        } else {
            nodes[Int(node.previous)].next = node.next
        }
        if node.next == SlotLists.none {
            lasts[list] = node.previous
        } else {
            nodes[Int(node.next)].previous = node.previous
        }
        nodes[Int(slot)] = Node()
    }
}

/// Allocates the numbers of slots; reuses freed ones first, so that the arrays indexed by them stay short.
package struct SlotNumbers: Sendable {
    private var free: [SlotLists.Slot] = []
    private var end: SlotLists.Slot = 0

    package init() {}

    /// Returns a number that is not in use.
    package mutating func allocate() -> SlotLists.Slot {
        if let slot = free.popLast() { return slot }
        defer { end += 1 }
        return end
    }

    /// Frees a number.
    package mutating func give(_ slot: SlotLists.Slot) {
        free.append(slot)
    }
}
