package import HTTPExchange
package import Primitives
import Synchronization

/// Bars in the memory of the process.
///
/// The bars are in 64 shards, each under a lock of its own, so threads seldom wait for each other. Two more locks, for
/// keys and for the ages of logs, are taken once per creation and once per 64 events. The order of locks is: keys, a
/// shard, ages.
package final class MemoryBarStore: BarStore {
    private static let shardCount = 64

    /// An object that holds a lock, because an array cannot.
    private final class Shard: Sendable {
        let bars: Mutex<BarShard>

        init(_ budget: LogBudget, _ clientBytes: ClientShares, _ now: WallTime) {
            bars = Mutex(BarShard(budget: budget, clientBytes: clientBytes, now: now))
        }
    }

    private struct Creation: Sendable {
        let fingerprint: UInt64
        let id: BarID
    }

    private let shards: [Shard]
    private let keys = Mutex<[IdempotencyKey: Creation]>([:])
    private let budget: LogBudget
    private let sessions = Atomic<Int>(0)
    private let maxSessions: Int
    /// The number of each client's bars.
    private let clientSessions: ClientShares
    /// The bytes of each client's bars, without logs: a log can be dropped for others.
    private let clientBytes: ClientShares

    /// The bytes of a key in the table of keys, with the average unused capacity of a hash table.
    static let bytesPerKey = (MemoryLayout<IdempotencyKey>.stride + MemoryLayout<Creation>.stride) * 16 / 9

    /// - Parameters:
    ///   - maxSessions: the most bars, at least 1.
    ///   - maxBytes: the most bytes of records and logs; the oldest logs are dropped first.
    ///   - maxSessionsPerClient: the most bars of one client; 0 for no limit. The bytes of one client's bars are limited to
    ///     an eighth of `maxBytes`, or to the fraction that `maxSessionsPerClient` is of `maxSessions` if that is more.
    ///   - now: the present time.
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

    package var shared: SharedStoreStatus? { nil }

    package func load(_ id: BarID, now: WallTime) throws -> Promised<BarRecord> {
        guard let found = find(id, now) else { throw BarSessionError.notFound }
        return .now(found.record)
    }

    package func loadWithLog(_ id: BarID, now: WallTime) throws -> Promised<LoggedBar> {
        guard let (found, log) = findWithLog(id, now) else { throw BarSessionError.notFound }
        return .now(LoggedBar(record: found.record, log: log))
    }

    /// Returns the record and the slot of a bar; nil if there is none or it has expired.
    private func find(_ id: BarID, _ now: WallTime) -> BarShard.Found? {
        withShard(of: id) { $0.find(id, now: now) }
    }

    /// Returns the record, the slot and the log of a bar; nil if there is none or it has expired.
    private func findWithLog(_ id: BarID, _ now: WallTime) -> (found: BarShard.Found, log: BarLog)? {
        withShard(of: id) { $0.findWithLog(id, now: now) }
    }

    /// Only this process writes, so there is nothing to watch.
    package func watch(_ id: BarID) -> @Sendable () -> Void { {} }

    // MARK: Creating

    package func create(
        _ record: BarRecord,
        as id: BarID,
        key: CreationKey?,
        client: ClientKey?,
        now: WallTime
    ) throws -> Promised<BarID> {
        let origin = BarOrigin(key: key?.key, client: clientSessions.limit == 0 ? nil : client)
        guard let key else {
            try insert(record, id, origin)
            return .now(id)
        }
        return .now(try create(record, as: id, key, origin, now))
    }

    /// Stores a new bar, unless the key created one earlier; returns the id of either.
    private func create(
        _ record: BarRecord,
        as id: BarID,
        _ key: CreationKey,
        _ origin: BarOrigin,
        _ now: WallTime
    ) throws(BarSessionError) -> BarID {
        // The lock is held until the bar is stored, so two requests with one key create one bar.
        try keys.withLock { (creations) throws(BarSessionError) in
            if let earlier = creations[key.key], find(earlier.id, now) != nil {
                guard earlier.fingerprint == key.fingerprint else { throw .keyReused }
                withShard(of: earlier.id) { $0.touch(earlier.id, expiresAt: record.expiresAt, now: now) }
                return earlier.id
            }
            try insert(record, id, origin)
            creations[key.key] = Creation(fingerprint: key.fingerprint, id: id)
            return id
        }
    }

    /// Counts a new bar, takes its client's share, reserves its bytes and stores it.
    private func insert(_ record: BarRecord, _ id: BarID, _ origin: BarOrigin) throws(BarSessionError) {
        guard clientSessions.take(origin.client) else { throw .clientShare }
        let weight = BarShard.weight(of: record, from: origin)
        guard clientBytes.take(origin.client, weight) else {
            clientSessions.giveBack(origin.client)
            throw .clientShare
        }
        guard sessions.add(1, ordering: .relaxed).newValue <= maxSessions, reserve(weight) else {
            sessions.subtract(1, ordering: .relaxed)
            clientSessions.giveBack(origin.client)
            clientBytes.giveBack(origin.client, weight)
            throw .full
        }
        withShard(of: id) { $0.insert(record, as: id, from: origin) }
    }

    // MARK: Performing operations

    /// The most attempts of an operation.
    ///
    /// Every failed attempt is the success of another write. Only a long batch on a bar with many writers reaches it.
    private static let attempts = 1000

    package func perform(_ operation: any BarOperation, now: WallTime) throws -> Promised<BarDecision> {
        for _ in 0..<MemoryBarStore.attempts {
            let (found, decision) = try decide(operation, now)
            switch consume decision {
            case .keep(let answer): return .now(.keep(answer))
            case .write(let write):
                if try store(write, of: operation.id, found, now) { return .now(.write(write)) }
            case .delete:
                if try delete(operation.id, found, now) { return .now(.delete) }
            }
        }
        throw BarSessionError.contended
    }

    /// Returns the decision of an operation, and the record on which it was made.
    private func decide(
        _ operation: any BarOperation,
        _ now: WallTime
    ) throws -> (found: BarShard.Found, decision: BarDecision) {
        guard let found = find(operation.id, now) else { throw BarSessionError.notFound }
        guard operation.needsLog(found.record) else {
            return (found, try operation.decide(found.record, nil, now: now))
        }
        guard let (found, log) = findWithLog(operation.id, now) else { throw BarSessionError.notFound }
        return (found, try operation.decide(found.record, log, now: now))
    }

    /// The most times that a write drops logs of others before it drops its own: concurrent writes may use the bytes.
    private static let logDrops = 8

    /// Stores a write; returns false if the stored revision is no longer that of `found`.
    private func store(
        _ write: BarWrite,
        of id: BarID,
        _ found: BarShard.Found,
        _ now: WallTime
    ) throws(BarSessionError) -> Bool {
        var keepsLog = true
        for drop in 1... {
            let result = withShard(of: id) {
                $0.replace(
                    found,
                    of: id,
                    by: write.record,
                    appending: write.addition,
                    keepsLog: keepsLog,
                    now: now
                )
            }
            switch result {
            case .done: return true
            case .conflict: return false
            case .notFound: throw .notFound
            case .clientShare: throw .clientShare
            case .needsBytes(let bytes):
                if dropLogs(for: bytes), drop < MemoryBarStore.logDrops { continue }
                // A log can be dropped and a record cannot, so the write goes on without its log.
                guard keepsLog else { throw .full }
                keepsLog = false
            }
        }
        throw .full
    }

    /// Deletes a bar; returns false if the stored revision is no longer that of `found`.
    private func delete(_ id: BarID, _ found: BarShard.Found, _ now: WallTime) throws(BarSessionError) -> Bool {
        let (result, origin) = withShard(of: id) { $0.remove(id, found, now: now) }
        guard let origin else {
            if case .conflict = result { return false }
            throw .notFound
        }
        release(origin, of: id)
        return true
    }

    // MARK: Ending

    package func expire(now: WallTime) -> [BarID] {
        shards.flatMap { shard in
            let expired = shard.bars.withLock { $0.expire(now: now) }
            for (id, origin) in expired { release(origin, of: id) }
            return expired.map(\.id)
        }
    }

    /// Releases the shares and the key of a bar that its shard has removed.
    private func release(_ origin: BarOrigin, of id: BarID) {
        sessions.subtract(1, ordering: .relaxed)
        clientSessions.giveBack(origin.client)
        guard let key = origin.key else { return }
        // After the end of the bar its key may have created another one.
        keys.withLock { creations in if creations[key]?.id == id { creations[key] = nil } }
    }

    /// Reserves bytes, and drops the oldest logs for them; returns false if no log is left to drop.
    private func reserve(_ bytes: Int) -> Bool {
        while !budget.reserve(bytes) {
            guard dropLogs(for: bytes) else { return false }
        }
        return true
    }

    /// Drops the oldest logs until so many bytes fit; returns false if no log is left to drop.
    private func dropLogs(for bytes: Int) -> Bool {
        while budget.bytes + bytes > budget.limit {
            guard let oldest = budget.oldest else { return false }
            withShard(of: oldest) { $0.dropOldestSegment(of: oldest) }
        }
        return true
    }

    private func withShard<Result: Sendable>(of id: BarID, _ body: (inout BarShard) -> sending Result) -> Result {
        shards[Int(truncatingIfNeeded: id.low) & (MemoryBarStore.shardCount - 1)].bars.withLock { body(&$0) }
    }
}
