import Primitives
import Synchronization

/// The bytes of all bars with their logs, and the order in which the segments of the logs were begun.
///
/// All shards share one list of segments. A bar changes it once in 64 events, so one lock is enough. A shard calls the
/// budget while it holds its own lock; the budget never calls a shard.
final class LogBudget: Sendable {
    /// The most bytes.
    let limit: Int

    private let total = Atomic<Int>(0)
    private let ages = Mutex(Ages())

    /// The bytes of a segment in the list of ages: a node, an owner and an unused number, plus half as much again for the
    /// average unused capacity of the arrays.
    static let bytesPerSegment = (12 + MemoryLayout<BarID>.stride + 4) * 3 / 2

    private struct Ages: Sendable {
        var lists = SlotLists(count: 1)
        var numbers = SlotNumbers()
        var owners: [BarID] = []
    }

    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes in use, at most ``limit``.
    var bytes: Int { total.load(ordering: .relaxed) }

    /// Reserves bytes; returns false, and reserves nothing, if they would exceed the limit.
    func reserve(_ bytes: Int) -> Bool {
        var taken = total.load(ordering: .relaxed)
        while bytes <= limit - taken {
            let (isReserved, present) = total.weakCompareExchange(
                expected: taken,
                desired: taken + bytes,
                ordering: .relaxed
            )
            if isReserved { return true }
            taken = present
        }
        return false
    }

    /// Changes the bytes in use; a negative number releases bytes.
    ///
    /// Callers add bytes only if they have released as many before; otherwise they use ``reserve(_:)``.
    func add(_ bytes: Int) {
        total.add(bytes, ordering: .relaxed)
    }

    /// Appends a segment to the list of ages; returns its slot, by which it is removed.
    func append(_ owner: BarID) -> SlotLists.Slot {
        ages.withLock { ages in
            let slot = ages.numbers.take()
            if Int(slot) == ages.owners.count { ages.owners.append(owner) } else { ages.owners[Int(slot)] = owner }
            ages.lists.append(slot, to: 0)
            return slot
        }
    }

    /// Removes a segment from the list of ages.
    func remove(_ slot: SlotLists.Slot) {
        ages.withLock { ages in
            ages.lists.remove(slot)
            ages.numbers.give(slot)
        }
    }

    /// The bar with the oldest segment.
    var oldest: BarID? {
        ages.withLock { ages in ages.lists.first(in: 0).map { ages.owners[Int($0)] } }
    }
}
