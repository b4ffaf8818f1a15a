import Synchronization

/// Counts the stored states that refer to one immutable object.
///
/// Checkpoints of a bar and forks of it share what does not change between them. Memory that is shared is charged once:
/// for the first state that is stored with it, until the last one is dropped. The reference count of the object would
/// not do: requests that are being answered refer to it too.
struct HolderCount: ~Copyable, Sendable {
    private let holders = Atomic(0)

    /// Whether no stored state refers to the object.
    var isZero: Bool { holders.load(ordering: .relaxed) == 0 }

    /// Adds a holder; true for the first one.
    func add() -> Bool { holders.add(1, ordering: .relaxed).oldValue == 0 }

    /// Removes a holder; true for the last one.
    func remove() -> Bool {
        let left = holders.subtract(1, ordering: .relaxed).newValue
        assert(left >= 0, "more holders removed than were added")
        return left == 0
    }
}
