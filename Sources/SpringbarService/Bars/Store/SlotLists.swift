/// Doubly linked lists over one array of nodes: adding at the end, taking out from anywhere and finding the first each
/// take the same few steps, however long the lists are.
///
/// A node is a slot, named by its number. A slot is in one list or in none.
struct SlotLists: Sendable {
    typealias Slot = Int32

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
    init(count: Int) {
        firsts = Array(repeating: SlotLists.none, count: count)
        lasts = firsts
    }

    /// The number of lists.
    var count: Int { firsts.count }

    /// The slot that has been in the list for longest.
    func first(in list: Int) -> Slot? {
        firsts[list] == SlotLists.none ? nil : firsts[list]
    }

    /// Puts a slot, which is in no list, at the end of one.
    mutating func append(_ slot: Slot, to list: Int) {
        while nodes.count <= Int(slot) { nodes.append(Node()) }
        precondition(nodes[Int(slot)].list == SlotLists.none, "the slot is in a list")
        let last = lasts[list]
        nodes[Int(slot)] = Node(previous: last, next: SlotLists.none, list: Slot(list))
        if last == SlotLists.none { firsts[list] = slot } else { nodes[Int(last)].next = slot }
        lasts[list] = slot
    }

    /// Takes a slot out of the list it is in; nothing when it is in none.
    mutating func remove(_ slot: Slot) {
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

/// Numbers for slots: the ones given back are used again first, so that the arrays behind them stay short.
struct SlotNumbers: Sendable {
    private var free: [SlotLists.Slot] = []
    private var end: SlotLists.Slot = 0

    mutating func take() -> SlotLists.Slot {
        if let slot = free.popLast() { return slot }
        defer { end += 1 }
        return end
    }

    mutating func give(_ slot: SlotLists.Slot) {
        free.append(slot)
    }
}
