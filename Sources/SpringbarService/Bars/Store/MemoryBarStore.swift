package import HTTPExchange
package import Primitives
import Synchronization

/// Bars in the memory of this process.
///
/// Sixty-four shards, each under its own lock, so that threads seldom meet; what is done under a lock is a copy of a
/// few hundred bytes. Two more locks, for keys and for the ages of logs, are taken once a creation and once in 64 events.
/// The order is always keys, then a shard, then the ages.
package final class MemoryBarStore: BarStore {
    private static let shardCount = 64

    /// A lock cannot be an element of an array; an object that holds it can.
    private final class Shard: Sendable {
        let bars: Mutex<BarShard>

        init(_ budget: LogBudget, _ clientBytes: ClientShares, _ now: WallTime) {
            bars = Mutex(BarShard(budget: budget, clientBytes: clientBytes, now: now))
        }
    }

    private struct Made: Sendable {
        let fingerprint: UInt64
        let id: BarID
    }

    private let shards: [Shard]
    private let keys = Mutex<[IdempotencyKey.Name: Made]>([:])
    private let budget: LogBudget
    private let sessions = Atomic<Int>(0)
    private let maxSessions: Int
    /// The bars of each client, and their bytes without the logs, which are dropped for others anyway.
    private let clientSessions: ClientShares
    private let clientBytes: ClientShares

    /// What a key takes in the table of keys, with the room that a table of hashes has to spare on average.
    static let bytesPerKey = (MemoryLayout<IdempotencyKey.Name>.stride + MemoryLayout<Made>.stride) * 16 / 9

    /// - Parameters:
    ///   - maxSessions: bars at a time, at least 1.
    ///   - maxBytes: records and logs together; the oldest logs go first.
    ///   - maxSessionsPerClient: bars of one client at a time; 0 for no limit. One client's bars take at most an eighth
    ///     of `maxBytes`, or the same part of it as of `maxSessions` if that is more.
    ///   - now: the moment from which time is counted.
    package init(maxSessions: Int, maxBytes: Int, maxSessionsPerClient: Int = 0, now: WallTime) {
        self.maxSessions = maxSessions
        let budget = LogBudget(limit: maxBytes)
        let share = min(1, max(1.0 / 8, Double(maxSessionsPerClient) / Double(maxSessions)))
        let clientBytes = ClientShares(
            limit: maxSessionsPerClient == 0 ? 0 : max(1, Int.clamping(Double(maxBytes) * share))
        )
        self.budget = budget
        self.clientBytes = clientBytes
        clientSessions = ClientShares(limit: maxSessionsPerClient)
        shards = (0..<MemoryBarStore.shardCount).map { _ in Shard(budget, clientBytes, now) }
    }

    package var statistics: BarStatistics {
        BarStatistics(
            sessions: sessions.load(ordering: .relaxed),
            maxSessions: maxSessions,
            bytes: budget.bytes,
            maxBytes: budget.limit
        )
    }

    package func load(_ id: BarID, now: WallTime) -> BarRecord? {
        withShard(of: id) { $0.record(of: id, now: now) }
    }

    package func loadWithLog(_ id: BarID, now: WallTime) -> (record: BarRecord, log: BarLog)? {
        withShard(of: id) { $0.recordAndLog(of: id, now: now) }
    }

    package func create(
        _ record: BarRecord,
        as id: BarID,
        key: IdempotencyKey?,
        client: ClientKey?,
        now: WallTime
    ) -> BarCreation {
        let origin = BarOrigin(key: key?.name, client: clientSessions.limit == 0 ? nil : client)
        guard let key else { return insert(record, id, origin) }
        // The lock is held until the bar is there: a key that is still at work is never found.
        return keys.withLock { made in
            if let earlier = made[key.name], let record = load(earlier.id, now: now) {
                return earlier.fingerprint == key.fingerprint ? .existing(earlier.id, record) : .keyReused
            }
            let creation = insert(record, id, origin)
            if creation == .created { made[key.name] = Made(fingerprint: key.fingerprint, id: id) }
            return creation
        }
    }

    /// Counts a new bar in, takes its client's share and the room for it, and puts it into its shard.
    private func insert(_ record: BarRecord, _ id: BarID, _ origin: BarOrigin) -> BarCreation {
        guard clientSessions.take(origin.client) else { return .clientShare }
        let weight = BarShard.weight(of: record, from: origin)
        guard clientBytes.take(origin.client, weight) else {
            clientSessions.giveBack(origin.client)
            return .clientShare
        }
        guard sessions.add(1, ordering: .relaxed).newValue <= maxSessions, takeRoom(weight) else {
            sessions.subtract(1, ordering: .relaxed)
            clientSessions.giveBack(origin.client)
            clientBytes.giveBack(origin.client, weight)
            return .full
        }
        withShard(of: id) { $0.insert(record, as: id, from: origin) }
        return .created
    }

    /// Reserves bytes, and drops the oldest logs for them; false when none is left to drop.
    private func takeRoom(_ bytes: Int) -> Bool {
        while !budget.reserve(bytes) {
            guard makeRoom(bytes) else { return false }
        }
        return true
    }

    /// So often a write makes room before it goes on without its log: others may take the room each time.
    private static let attempts = 8

    package func compareAndSet(
        _ id: BarID,
        revision: Int,
        to record: BarRecord,
        appending addition: BarLog.Addition,
        now: WallTime
    ) -> BarExchange {
        var keepsLog = true
        for attempt in 1... {
            let result = withShard(of: id) {
                $0.exchange(
                    id,
                    revision: revision,
                    to: record,
                    appending: addition,
                    keepsLog: keepsLog,
                    now: now
                )
            }
            guard case .needsRoom(let bytes) = result else {
                if case .ended(let exchange) = result { return exchange }
                continue
            }
            if makeRoom(bytes), attempt < MemoryBarStore.attempts { continue }
            // A log can be dropped, a record cannot: without room for the log, the write goes on without it.
            guard keepsLog else { return .full }
            keepsLog = false
        }
        return .full
    }

    package func touch(_ id: BarID, expiresAt: WallTime, now: WallTime) {
        withShard(of: id) { $0.touch(id, expiresAt: expiresAt, now: now) }
    }

    package func delete(_ id: BarID, revision: Int?, now: WallTime) -> BarExchange {
        let (exchange, origin) = withShard(of: id) { $0.remove(id, revision: revision, now: now) }
        if let origin { forget(origin, of: id) }
        return exchange
    }

    package func expire(now: WallTime) -> [BarID] {
        shards.flatMap { shard in
            let expired = shard.bars.withLock { $0.expire(now: now) }
            for (id, origin) in expired { forget(origin, of: id) }
            return expired.map(\.id)
        }
    }

    /// Counts a bar off that its shard has removed, and forgets the key that made it.
    private func forget(_ origin: BarOrigin, of id: BarID) {
        sessions.subtract(1, ordering: .relaxed)
        clientSessions.giveBack(origin.client)
        guard let key = origin.key else { return }
        // A bar that was over may have been found so by its key before, which then makes another one.
        keys.withLock { made in if made[key]?.id == id { made[key] = nil } }
    }

    /// Drops the oldest logs until so many bytes fit; false when nothing is left to drop.
    private func makeRoom(_ bytes: Int) -> Bool {
        while budget.bytes + bytes > budget.limit {
            guard let oldest = budget.oldest else { return false }
            withShard(of: oldest) { $0.dropOldestSegment(of: oldest) }
        }
        return true
    }

    private func withShard<Result: Sendable>(of id: BarID, _ body: (inout BarShard) -> sending Result) -> Result {
        shards[Int(truncatingIfNeeded: id.bits) & (MemoryBarStore.shardCount - 1)].bars.withLock { body(&$0) }
    }
}
