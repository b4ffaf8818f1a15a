import Synchronization

/// Counts the items of one kind (connections, streams, bytes) for each client, up to a limit.
///
/// It stores only clients that have at least one, so its memory is bounded by the number of items.
package final class ClientShares: Sendable {
    /// The most items of one client; 0 for no limit, and then nothing is counted.
    package let limit: Int
    private let counts = Lock<[ClientKey: Int]>([:])

    /// Creates shares of at most `limit` items, at least 0.
    package init(limit: Int) {
        precondition(limit >= 0)
        self.limit = limit
    }

    /// Returns the number of items of a client.
    package func count(of client: ClientKey) -> Int {
        counts.withLock { $0[client] ?? 0 }
    }

    /// Counts `amount` more items for a client, at most `extra` above the limit; an unknown address is not limited.
    ///
    /// - Returns: false if the share is used up; nothing is counted then. After true, call `release` when they end.
    package func reserve(_ client: ClientKey?, _ amount: Int = 1, beyond extra: Int = 0) -> Bool {
        guard limit > 0, let client else { return true }
        return counts.withLock { counts in
            let count = counts[client] ?? 0
            guard amount <= limit - count + extra else { return false }
            counts[client] = count + amount
            return true
        }
    }

    /// Returns whether `amount` more items would be in the share of a client now; nothing is counted.
    package func fits(_ client: ClientKey?, _ amount: Int) -> Bool {
        guard limit > 0, let client else { return true }
        return amount <= limit - count(of: client)
    }

    /// Counts items of one client for another one, which may exceed its share by them.
    package func move(_ amount: Int, from client: ClientKey?, to other: ClientKey?) {
        release(client, amount)
        guard limit > 0, let other else { return }
        counts.withLock { $0[other, default: 0] += amount }
    }

    /// Counts `amount` fewer items for a client.
    package func release(_ client: ClientKey?, _ amount: Int = 1) {
        guard limit > 0, let client else { return }
        counts.withLock { counts in
            guard let count = counts[client] else { return }
            counts[client] = count > amount ? count - amount : nil
        }
    }
}
