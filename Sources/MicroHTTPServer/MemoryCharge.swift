import Primitives

/// What one part of an exchange, its content or its answer, has reserved of the memory budget.
///
/// Up to `MemoryBudget.uncountedBytes` nothing is reserved.
struct MemoryCharge {
    /// The bytes that are reserved now.
    private(set) var bytes = 0

    /// Reserves what is missing for `count` bytes in all; false if it does not fit, and nothing changes then.
    mutating func grow(to count: Int, of memory: MemoryBudget) -> Bool {
        guard count > MemoryBudget.uncountedBytes, count > bytes else { return true }
        guard memory.reserve(count - bytes) else { return false }
        bytes = count
        return true
    }

    /// Counts `count` bytes that are there already.
    mutating func add(_ count: Int, to memory: MemoryBudget) {
        guard count > MemoryBudget.uncountedBytes else { return }
        memory.charge(count)
        bytes += count
    }

    /// Gives everything back.
    mutating func release(to memory: MemoryBudget) {
        guard bytes > 0 else { return }
        memory.release(bytes)
        bytes = 0
    }
}
