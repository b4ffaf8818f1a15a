import Primitives
import Synchronization

/// The number and the bytes of all bars and of each client's bars; the bytes are those of records, logs and keys.
final class BarQuota: Sendable {
    private let maxSessions: Int
    private let maxBytes: Int
    private let sessionCount = Atomic<Int>(0)
    private let byteCount = Atomic<Int>(0)
    /// Whether a bar or its bytes were refused because all are in use, since the last call of `takeFullness`.
    private let wasFull = Atomic(false)
    private let clientSessions: ClientShares
    private let clientBytes: ClientShares

    /// With `maxSessionsPerClient`, the bytes of one client's bars are limited to an eighth of `maxBytes`, or to the fraction
    /// that it is of `maxSessions` if that is more; 0 is no limit.
    init(maxSessions: Int, maxBytes: Int, maxSessionsPerClient: Int) {
        self.maxSessions = maxSessions
        self.maxBytes = maxBytes
        let share = min(1, max(1.0 / 8, Double(maxSessionsPerClient) / Double(maxSessions)))
        clientSessions = ClientShares(limit: maxSessionsPerClient)
        let clientLimit = maxSessionsPerClient == 0 ? 0 : max(1, Int.clamping(Double(maxBytes) * share))
        clientBytes = ClientShares(limit: clientLimit)
    }

    /// Whether bars count for their clients.
    var countsClients: Bool { clientSessions.limit > 0 }

    var statistics: BarStatistics {
        let (sessions, bytes) = (sessionCount.load(ordering: .relaxed), byteCount.load(ordering: .relaxed))
        return BarStatistics(sessions: sessions, maxSessions: maxSessions, bytes: bytes, maxBytes: maxBytes)
    }

    /// Counts a bar of so many bytes; throws `full` or `clientShare`, and counts nothing then.
    func addBar(_ bytes: Int, of client: ClientKey?) throws(BarSessionError) {
        guard clientSessions.reserve(client) else { throw .clientShare }
        do throws(BarSessionError) {
            guard sessionCount.add(1, ordering: .relaxed).newValue <= maxSessions else {
                wasFull.store(true, ordering: .relaxed)
                throw .full
            }
            try reserve(bytes, for: client)
        } catch {
            sessionCount.subtract(1, ordering: .relaxed)
            clientSessions.release(client)
            throw error
        }
    }

    /// Returns whether something was refused because all is in use, since the last call.
    func takeFullness() -> Bool { wasFull.exchange(false, ordering: .relaxed) }

    func removeBar(_ bytes: Int, of client: ClientKey?) {
        sessionCount.subtract(1, ordering: .relaxed)
        clientSessions.release(client)
        release(bytes, of: client)
    }

    /// Reserves bytes, or releases them if the number is negative; throws as ``addBar(_:of:)``.
    func reserve(_ bytes: Int, for client: ClientKey?) throws(BarSessionError) {
        guard bytes > 0 else { return release(-bytes, of: client) }
        guard clientBytes.reserve(client, bytes) else { throw .clientShare }
        var used = byteCount.load(ordering: .relaxed)
        while bytes <= maxBytes - used {
            let exchange = byteCount.weakCompareExchange(expected: used, desired: used + bytes, ordering: .relaxed)
            if exchange.exchanged { return }
            used = exchange.original
        }
        clientBytes.release(client, bytes)
        wasFull.store(true, ordering: .relaxed)
        throw .full
    }

    func release(_ bytes: Int, of client: ClientKey?) {
        clientBytes.release(client, bytes)
        byteCount.subtract(bytes, ordering: .relaxed)
    }
}
