import HTTPExchange
import Primitives

/// The memory budget as connections use it: one client takes at most half of it.
///
/// Without a share, twenty connections that do not read their responses would use up the budget, and every other client
/// would be refused. A peer that is not limited, such as a trusted proxy, has no share either.
final class ClientMemory: Sendable {
    /// The budget of the process.
    let budget: MemoryBudget
    private let shares: ClientShares

    init(_ budget: MemoryBudget) {
        self.budget = budget
        shares = ClientShares(limit: budget.limit / 2)
    }

    /// Returns whether bytes fit now; nothing is reserved.
    func fits(_ count: Int, for client: ClientKey?) -> Bool {
        guard shares.take(client, count) else {
            budget.countRefusal()
            return false
        }
        shares.giveBack(client, count)
        return budget.fits(count)
    }

    /// Returns whether a client or all clients together have been charged more than they may have.
    func isOverdrawn(by client: ClientKey?) -> Bool {
        budget.isOverdrawn || shares.isExceeded(by: client)
    }

    /// Reserves bytes if they fit; otherwise returns false, and nothing changes.
    func reserve(_ count: Int, for client: ClientKey?) -> Bool {
        guard shares.take(client, count) else {
            budget.countRefusal()
            return false
        }
        if budget.reserve(count) { return true }
        shares.giveBack(client, count)
        return false
    }

    /// Charges bytes that are in use already and cannot be refused.
    func charge(_ count: Int, to client: ClientKey?) {
        shares.charge(client, count)
        budget.charge(count)
    }

    /// Returns bytes that were reserved or charged.
    func release(_ count: Int, of client: ClientKey?) {
        shares.giveBack(client, count)
        budget.release(count)
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
