import Synchronization

/// How many things of one kind (connections, streams, bars) each client has, and the most that one may have.
///
/// It remembers the clients that have at least one, so its memory is bounded by that of the things it counts.
package final class ClientShares: Sendable {
    /// The most that one client may have; 0 for no limit, and nothing is counted then.
    package let limit: Int
    private let counts = Mutex<[ClientKey: Int]>([:])

    /// Shares of at most `limit` things each, at least 0.
    package init(limit: Int) {
        precondition(limit >= 0)
        self.limit = limit
    }

    /// How many a client has.
    package func count(of client: ClientKey) -> Int {
        counts.withLock { $0[client] ?? 0 }
    }

    /// Counts one more for a client, or `amount` more of what the share is measured in.
    ///
    /// - Parameters:
    ///   - client: nil if its address is not known; such a client is not limited.
    ///   - amount: at least 0.
    /// - Returns: false if the client's share is used up; nothing is counted then. After true, as much is given back
    ///   with `giveBack` and the same client.
    package func take(_ client: ClientKey?, _ amount: Int = 1) -> Bool {
        guard limit > 0, let client else { return true }
        return counts.withLock { counts in
            let count = counts[client] ?? 0
            guard amount <= limit - count else { return false }
            counts[client] = count + amount
            return true
        }
    }

    /// Counts one less for a client, or `amount` less.
    package func giveBack(_ client: ClientKey?, _ amount: Int = 1) {
        guard limit > 0, let client else { return }
        counts.withLock { counts in
            guard let count = counts[client] else { return }
            counts[client] = count > amount ? count - amount : nil
        }
    }
}
