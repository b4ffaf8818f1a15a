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

        init(_ budget: LogBudget, _ now: WallTime) {
            bars = Mutex(BarShard(budget: budget, now: now))
        }
    }

    private struct Made: Sendable {
        let fingerprint: UInt128
        let id: BarID
    }

    private let shards: [Shard]
    private let keys = Mutex<[String: Made]>([:])
    private let budget: LogBudget
    private let sessions = Atomic<Int>(0)
    private let maxSessions: Int

    /// - Parameters:
    ///   - maxSessions: bars at a time, at least 1.
    ///   - maxBytes: records and logs together; the oldest logs go first.
    ///   - now: the moment from which time is counted.
    package init(maxSessions: Int, maxBytes: Int, now: WallTime) {
        self.maxSessions = maxSessions
        let budget = LogBudget(limit: maxBytes)
        self.budget = budget
        shards = (0..<MemoryBarStore.shardCount).map { _ in Shard(budget, now) }
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

    package func create(_ record: BarRecord, as id: BarID, key: IdempotencyKey?, now: WallTime) -> BarCreation {
        guard let key else { return insert(record, id, nil) ? .created : .full }
        // The lock is held until the bar is there: nobody ever finds a key that is still at work.
        return keys.withLock { made in
            if let earlier = made[key.text], let record = load(earlier.id, now: now) {
                return earlier.fingerprint == key.fingerprint ? .existing(earlier.id, record) : .keyReused
            }
            guard insert(record, id, key.text) else { return .full }
            made[key.text] = Made(fingerprint: key.fingerprint, id: id)
            return .created
        }
    }

    /// Counts a new bar in and puts it into its shard; false when there is no room.
    private func insert(_ record: BarRecord, _ id: BarID, _ key: String?) -> Bool {
        guard sessions.add(1, ordering: .relaxed).newValue <= maxSessions, makeRoom(BarShard.weight(of: record)) else {
            sessions.subtract(1, ordering: .relaxed)
            return false
        }
        withShard(of: id) { $0.insert(record, as: id, key: key) }
        return true
    }

    package func compareAndSet(
        _ id: BarID,
        revision: Int,
        to record: BarRecord,
        appending addition: BarLog.Addition,
        now: WallTime
    ) -> BarExchange {
        while true {
            let attempt = withShard(of: id) {
                $0.exchange(id, revision: revision, to: record, appending: addition, now: now)
            }
            switch attempt {
            case .ended(let exchange):
                if budget.isExceeded { _ = makeRoom(0) }
                return exchange
            case .needsRoom(let bytes):
                guard makeRoom(bytes) else { return .full }
            }
        }
    }

    package func touch(_ id: BarID, expiresAt: WallTime, now: WallTime) {
        withShard(of: id) { $0.touch(id, expiresAt: expiresAt, now: now) }
    }

    package func delete(_ id: BarID, now: WallTime) -> Bool {
        let (found, key) = withShard(of: id) { $0.remove(id, now: now) }
        if found { forget(key, of: id) }
        return found
    }

    package func expire(now: WallTime) -> [BarID] {
        shards.flatMap { shard in
            let expired = shard.bars.withLock { $0.expire(now: now) }
            for (id, key) in expired { forget(key, of: id) }
            return expired.map(\.id)
        }
    }

    /// Counts a bar off that its shard has removed, and forgets the key that made it.
    private func forget(_ key: String?, of id: BarID) {
        sessions.subtract(1, ordering: .relaxed)
        guard let key else { return }
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
