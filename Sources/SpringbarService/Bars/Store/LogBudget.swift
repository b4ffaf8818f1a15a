import Primitives
import Synchronization

/// Which logs are the oldest, and how many bytes all of them take together with their bars.
///
/// One list for all shards, in the order in which segments were begun. It is touched once in 64 events of a bar, so one
/// lock does for all. A shard calls it while it holds its own lock; it never calls a shard.
final class LogBudget: Sendable {
    let limit: Int

    private let total = Atomic<Int>(0)
    private let ages = Mutex(Ages())

    /// What a segment takes in the list of ages: a node, an owner and a free number, with the room that arrays have to
    /// spare, half of what they hold on average.
    static let bytesPerSegment = (12 + MemoryLayout<BarID>.stride + 4) * 3 / 2

    private struct Ages: Sendable {
        var lists = SlotLists(count: 1)
        var numbers = SlotNumbers()
        var owners: [BarID] = []
    }

    /// - Parameter limit: bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// What is taken, in bytes: never more than the limit.
    var bytes: Int { total.load(ordering: .relaxed) }

    /// Takes bytes if they fit; false, and nothing is taken, if they do not.
    func reserve(_ bytes: Int) -> Bool {
        var taken = total.load(ordering: .relaxed)
        while bytes <= limit - taken {
            let (isTaken, other) = total.weakCompareExchange(
                expected: taken,
                desired: taken + bytes,
                ordering: .relaxed
            )
            if isTaken { return true }
            taken = other
        }
        return false
    }

    /// Adds to what is taken; a negative number gives back.
    ///
    /// More than was given back is only taken by ``reserve(_:)``.
    func add(_ bytes: Int) {
        total.add(bytes, ordering: .relaxed)
    }

    /// Enters a segment as the newest, and gives the slot by which it is taken out again.
    func enter(_ owner: BarID) -> SlotLists.Slot {
        ages.withLock { ages in
            let slot = ages.numbers.take()
            if Int(slot) == ages.owners.count { ages.owners.append(owner) } else { ages.owners[Int(slot)] = owner }
            ages.lists.append(slot, to: 0)
            return slot
        }
    }

    func leave(_ slot: SlotLists.Slot) {
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
