import HTTPExchange
import Primitives
import SharedState

/// The bars of each client, which all replicas count: a set of ids, each with the end of its counting.
///
/// After a write a bar is counted for a quarter of its time to live, and a minute, longer than it lives. So only the first
/// write in each quarter extends the counting.
struct BarShares: Sendable {
    let store: any SharedStore
    /// The most bars of one client; 0 for no limit.
    let limit: Int

    /// Returns the share of a client for a new bar; nil if there is no limit or the client is not known.
    func share(of client: ClientKey?, now: WallTime) -> SharedBar.Share? {
        limit == 0 ? nil : client.map { SharedBar.Share(client: $0.bits, renewedAt: now) }
    }

    /// Counts a new bar; returns false if its client has no place left.
    func count(_ share: SharedBar.Share, _ id: BarID, ttlSeconds: Int) async throws(SharedStateError) -> Bool {
        try await store.share(share.key, id.bytes, for: BarShares.time(ttlSeconds), limit: limit) == nil
    }

    /// Extends the counting of a bar, whatever the limit is; if that fails, a write in the next quarter extends it.
    func extend(_ share: SharedBar.Share, _ id: BarID, ttlSeconds: Int) async {
        _ = try? await store.share(share.key, id.bytes, for: BarShares.time(ttlSeconds), limit: .max)
    }

    /// Ends the counting of a bar; if that fails, it ends by itself.
    func release(_ share: SharedBar.Share?, of id: BarID) async {
        guard let share else { return }
        try? await store.release(share.key, member: id.bytes)
    }

    private static func time(_ ttlSeconds: Int) -> Duration {
        .seconds(ttlSeconds) + .seconds(ttlSeconds) / 4 + .seconds(60)
    }
}

extension SharedBar.Share {
    var key: SharedKey { SharedKey("c:" + String(client, radix: 16)) }

    /// Returns the share with a later counting if a write has to extend it.
    func renewed(ttlSeconds: Int, now: WallTime) -> SharedBar.Share {
        let quarters = (now.milliseconds - renewedAt.milliseconds) / (250 * max(1, ttlSeconds))
        // A clock that was set back must not prevent it.
        return quarters == 0 && renewedAt.milliseconds <= now.milliseconds
            ? self : SharedBar.Share(client: client, renewedAt: now)
    }
}
