import BarFeature
import Primitives
import SharedState
import Synchronization

/// The bars of each client, which all replicas count: a set of ids, each with the end of its counting.
///
/// After a write a bar is counted for a quarter of its time to live, and a minute, longer than it lives. So only the first
/// write in each quarter extends the counting.
///
/// A release that failed, such as in a failover of the shard, is sent again once a second until it succeeds.
final class BarShares: Sendable {
    private let store: any SharedStore
    /// The most bars of one client; 0 for no limit.
    private let limit: Int
    private let failures = Lock<[BarID: SharedBar.Share]>([:])
    /// A release ends before its bar, which a key can make again, is counted again.
    private let turns = WriteQueues()

    /// The most releases to send again; they take less than 1 MiB.
    private static let maxFailures = 10_000

    init(store: any SharedStore, limit: Int) {
        self.store = store
        self.limit = limit
    }

    /// Returns the share of a client for a new bar; nil if there is no limit or the client is not known.
    func share(of client: ClientKey?, now: WallTime) -> SharedBar.Share? {
        limit == 0 ? nil : client.map { SharedBar.Share(client: $0.bits, renewedAt: now) }
    }

    /// Counts a new bar; returns false if its client has no place left.
    func count(_ share: SharedBar.Share, _ id: BarID, ttlSeconds: Int) async throws(SharedStateError) -> Bool {
        await turns.enter(id)
        defer { turns.leave(id) }
        failures.withLock { $0[id] = nil }
        return try await store.share(share.key, id.bytes, for: .seconds(time(ttlSeconds)), limit: limit)
    }

    /// Extends the counting of a bar, whatever the limit is; if that fails, a write in the next quarter extends it.
    func extend(_ share: SharedBar.Share, _ id: BarID, ttlSeconds: Int) async {
        _ = try? await store.share(share.key, id.bytes, for: .seconds(time(ttlSeconds)), limit: .max)
    }

    /// Ends the counting of a bar; if that fails, ``resend()`` ends it.
    func release(_ share: SharedBar.Share?, of id: BarID) async {
        guard let share else { return }
        await turns.enter(id)
        defer { turns.leave(id) }
        do {
            try await store.release(share.key, member: id.bytes)
        } catch {
            failures.withLock { if $0.count < BarShares.maxFailures { $0[id] = share } }
        }
    }

    /// Sends the failed releases again, but only one of a client if its server is still away or refuses it.
    func resend() async {
        var away: Set<UInt64> = []
        for (id, share) in failures.withLock({ $0 }) where !away.contains(share.client) {
            await turns.enter(id)
            defer { turns.leave(id) }
            guard failures.withLock({ $0[id] == share }) else { continue }
            do {
                try await store.release(share.key, member: id.bytes)
                failures.withLock { if $0[id] == share { $0[id] = nil } }
            } catch {
                away.insert(share.client)
            }
        }
    }

    private func time(_ ttlSeconds: Int) -> Int { ttlSeconds + ttlSeconds / 4 + 60 }
}

extension SharedBar.Share {
    var key: String { "c:" + String(client, radix: 16) }

    /// Returns the share with a later counting if a write has to extend it.
    func renewed(ttlSeconds: Int, now: WallTime) -> SharedBar.Share {
        let quarters = (now.milliseconds - renewedAt.milliseconds) / (250 * max(1, ttlSeconds))
        // A clock that was set back must not prevent it.
        return quarters == 0 && renewedAt.milliseconds <= now.milliseconds
            ? self : SharedBar.Share(client: client, renewedAt: now)
    }
}
