import HTTPExchange
import Primitives
import Synchronization

/// The memory budget as connections use it: one client takes at most half of it.
///
/// Without a share, twenty connections that do not read their responses would use up the budget, and every other client
/// would be refused. A peer that is not limited, such as a trusted proxy, has no share either.
final class ClientMemory: Sendable {
    /// The budget of the process.
    let budget: MemoryBudget
    private let share: Int
    private let counts = Mutex<[ClientKey: Int]>([:])
    /// The number of clients above their share, so that the check before each request needs no lock.
    private let overdrafts = Atomic(0)

    init(_ budget: MemoryBudget) {
        self.budget = budget
        share = budget.limit / 2
    }

    /// Returns whether bytes fit now; nothing is reserved.
    func fits(_ count: Int, for client: ClientKey?) -> Bool {
        guard let client else { return budget.fits(count) }
        let held = counts.withLock { $0[client] ?? 0 }
        if count <= share - held { return budget.fits(count) }
        budget.countRefusal()
        return false
    }

    /// Returns whether a client or all clients together have been charged more than they may have.
    func isOverdrawn(by client: ClientKey?) -> Bool {
        if budget.isOverdrawn { return true }
        guard overdrafts.load(ordering: .relaxed) > 0, let client else { return false }
        return counts.withLock { ($0[client] ?? 0) > share }
    }

    /// Reserves bytes if they fit; otherwise returns false, and nothing changes.
    func reserve(_ count: Int, for client: ClientKey?) -> Bool {
        guard add(count, to: client, upTo: share) else {
            budget.countRefusal()
            return false
        }
        if budget.reserve(count) { return true }
        subtract(count, from: client)
        return false
    }

    /// Charges bytes that are in use already and cannot be refused.
    func charge(_ count: Int, to client: ClientKey?) {
        _ = add(count, to: client, upTo: .max)
        budget.charge(count)
    }

    /// Returns bytes that were reserved or charged.
    func release(_ count: Int, of client: ClientKey?) {
        subtract(count, from: client)
        budget.release(count)
    }

    private func add(_ count: Int, to client: ClientKey?, upTo limit: Int) -> Bool {
        guard let client else { return true }
        return counts.withLock { counts in
            let held = counts[client] ?? 0
            guard count <= limit - held else { return false }
            counts[client] = held + count
            if held <= share, held + count > share { overdrafts.add(1, ordering: .relaxed) }
            return true
        }
    }

    private func subtract(_ count: Int, from client: ClientKey?) {
        guard let client else { return }
        counts.withLock { counts in
            let held = counts[client] ?? 0
            counts[client] = held > count ? held - count : nil
            if held > share, held - count <= share { overdrafts.subtract(1, ordering: .relaxed) }
        }
    }
}

/// The bytes that the content or the response of one exchange has reserved.
///
/// Up to `MemoryBudget.uncountedBytes` nothing is reserved.
struct MemoryCharge {
    /// The bytes that are reserved now.
    private(set) var bytes = 0

    /// Reserves the missing part of `count` bytes; returns false if it does not fit, and nothing changes then.
    mutating func grow(to count: Int, of memory: ClientMemory, for client: ClientKey?) -> Bool {
        guard count > MemoryBudget.uncountedBytes, count > bytes else { return true }
        guard memory.reserve(count - bytes, for: client) else { return false }
        bytes = count
        return true
    }

    /// Charges `count` bytes that are in use already.
    mutating func add(_ count: Int, to memory: ClientMemory, for client: ClientKey?) {
        guard count > MemoryBudget.uncountedBytes else { return }
        memory.charge(count, to: client)
        bytes += count
    }

    /// Returns all bytes.
    mutating func release(to memory: ClientMemory, of client: ClientKey?) {
        guard bytes > 0 else { return }
        memory.release(bytes, of: client)
        bytes = 0
    }
}
