import Primitives
import Synchronization

/// The bytes of all bars and of each client's bars, with their logs and keys: sums of what is allocated.
final class BarMemory: Sendable {
    /// The most bytes.
    let limit: Int
    private let total = Atomic<Int>(0)
    private let clients: ClientShares

    /// - Parameters:
    ///   - limit: the most bytes of all bars.
    ///   - clientLimit: the most bytes of one client's bars; 0 for no limit.
    init(limit: Int, clientLimit: Int) {
        self.limit = limit
        clients = ClientShares(limit: clientLimit)
    }

    /// The bytes in use, at most ``limit``.
    var bytes: Int { total.load(ordering: .relaxed) }

    /// Takes bytes, or gives them back if the number is negative.
    ///
    /// - Throws: `full` or `clientShare`; nothing is taken then.
    func take(_ bytes: Int, for client: ClientKey?) throws(BarSessionError) {
        guard bytes > 0 else { return giveBack(-bytes, of: client) }
        guard clients.take(client, bytes) else { throw .clientShare }
        guard reserve(bytes) else {
            clients.giveBack(client, bytes)
            throw .full
        }
    }

    /// Gives bytes back.
    func giveBack(_ bytes: Int, of client: ClientKey?) {
        clients.giveBack(client, bytes)
        total.subtract(bytes, ordering: .relaxed)
    }

    /// Reserves bytes; returns false, and reserves nothing, if they would exceed the limit.
    private func reserve(_ bytes: Int) -> Bool {
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
}
