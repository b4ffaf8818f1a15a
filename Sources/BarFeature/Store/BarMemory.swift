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

    /// Reserves bytes, or releases them if the number is negative.
    ///
    /// - Throws: `full` or `clientShare`; nothing is reserved then.
    func reserve(_ bytes: Int, for client: ClientKey?) throws(BarSessionError) {
        guard bytes > 0 else { return release(-bytes, of: client) }
        guard clients.reserve(client, bytes) else { throw .clientShare }
        guard reserveInTotal(bytes) else {
            clients.release(client, bytes)
            throw .full
        }
    }

    /// Releases bytes.
    func release(_ bytes: Int, of client: ClientKey?) {
        clients.release(client, bytes)
        total.subtract(bytes, ordering: .relaxed)
    }

    /// Reserves bytes; returns false, and reserves nothing, if they would exceed the limit.
    private func reserveInTotal(_ bytes: Int) -> Bool {
        var used = total.load(ordering: .relaxed)
        while bytes <= limit - used {
            let (isReserved, present) = total.weakCompareExchange(
                expected: used,
                desired: used + bytes,
                ordering: .relaxed
            )
            if isReserved { return true }
            used = present
        }
        return false
    }
}
