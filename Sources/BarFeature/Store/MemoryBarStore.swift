package import HTTPExchange
package import Primitives
import Synchronization

/// Bars in the memory of the process.
///
/// The bars are in 64 shards, each under a lock of its own, so threads seldom wait for each other. An operation decides on
/// a copy of the record without the lock, and stores the next one if the version is still the same.
///
/// **Without memory a write drops the log of its own bar.** Only if that is not enough, the write is refused, and so are
/// creations. The next sweep then ends the bars that were idle longest, but none that was written within the usual time to
/// live: a long time to live is a wish, and a few clients could keep all others out with it.
package final class MemoryBarStore: BarStore {
    /// An object that holds locks, because an array cannot; a key is locked before a bar.
    private final class Shard: Sendable {
        let keys = Lock(CreationKeys())
        let bars = Lock<[BarID: StoredBar]>([:])
    }

    package let observers = BarObservers()
    private let shards = (0..<64).map { _ in Shard() }
    /// The number of bars that were made again under their ids.
    private let repeatedCreations = Atomic<UInt64>(0)
    private let quota: BarQuota
    private let usualTTLSeconds: Int

    /// Has at most `maxSessions` bars, and `maxBytes` of bars, logs and keys; `maxSessionsPerClient` limits both for a client.
    ///
    /// No bar ends within `usualTTLSeconds` after a write, unless its own time to live is shorter.
    package init(maxSessions: Int, maxBytes: Int, maxSessionsPerClient: Int = 0, usualTTLSeconds: Int = 900) {
        self.usualTTLSeconds = usualTTLSeconds
        quota = BarQuota(maxSessions: maxSessions, maxBytes: maxBytes, maxSessionsPerClient: maxSessionsPerClient)
    }

    package var statistics: BarStatistics? { quota.statistics }

    package var shared: SharedStoreStatus? { nil }

    /// Only this process writes, so there is nothing to watch.
    package func watch(_ id: BarID) -> @Sendable () -> Void { {} }

    private func withBars<Result: Sendable, Failure: Error>(
        inShardOf id: BarID,
        _ body: (inout [BarID: StoredBar]) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        let shard = shards[Int(id.low % UInt64(shards.count))]
        return try shard.bars.withLock { (bars) throws(Failure) in try body(&bars) }
    }

    package func load(_ id: BarID, now: WallTime) throws -> Promised<BarRecord> { .now(try record(id, now)) }

    private func record(_ id: BarID, _ now: WallTime) throws(BarSessionError) -> BarRecord {
        try withBars(inShardOf: id) { (bars) throws(BarSessionError) in try bars.bar(id, at: now).record }
    }

    package func loadWithLog(_ id: BarID, now: WallTime) throws -> Promised<LoggedBar> { .now(try loggedBar(id, now)) }

    private func loggedBar(_ id: BarID, _ now: WallTime) throws -> LoggedBar {
        try withBars(inShardOf: id) {
            let bar = try $0.bar(id, at: now)
            return LoggedBar(record: bar.record, log: try bar.readLog())
        }
    }

    package func create(
        _ record: BarRecord,
        as id: BarID,
        key: CreationKey?,
        memory: RequestMemory,
        now: WallTime
    ) throws -> Promised<CreatedBar> {
        let client = quota.countsClients ? memory.account.client : nil
        let bar: CreatedBar
        if let key {
            // The lock is held until the bar is stored, so two requests with one key create one bar.
            let shard = shards[Int(UInt(bitPattern: key.key.hashValue) % UInt(shards.count))]
            bar = try shard.keys.withLock { try create(record, as: id, key, client, &$0, at: now) }
        } else {
            bar = try insert(record, id, client)
        }
        if bar.replacesExpired { observers.end(bar.id, reason: "expired") }
        return .now(bar)
    }

    private func create(
        _ record: BarRecord,
        as id: BarID,
        _ key: CreationKey,
        _ client: ClientKey?,
        _ keys: inout CreationKeys,
        at now: WallTime
    ) throws(BarSessionError) -> CreatedBar {
        guard let earlier = keys.creation(with: key.key, now: now) else {
            let end = now.adding(seconds: CreationKey.life(ttlSeconds: record.ttlSeconds))
            let creation = CreationKeys.Creation(fingerprint: key.fingerprint, id: id, end: end, client: client)
            try keys.add(key.key, creation, in: quota)
            do {
                return try insert(record, id, client)
            } catch {
                keys.remove(key.key, in: quota)
                throw error
            }
        }
        guard earlier.fingerprint == key.fingerprint else { throw .keyReused }
        guard let bar = try? self.record(earlier.id, now) else {
            return try insert(record, earlier.id, client, isRepeated: true)
        }
        return CreatedBar(id: earlier.id, creation: bar.creation, expiresAt: bar.expiresAt)
    }

    /// Inserts a bar, and makes it again if `isRepeated`; throws `full` or `clientShare`.
    private func insert(
        _ record: BarRecord,
        _ id: BarID,
        _ client: ClientKey?,
        isRepeated: Bool = false
    ) throws(BarSessionError) -> CreatedBar {
        var record = record
        if isRepeated { record.creation = repeatedCreations.add(1, ordering: .relaxed).newValue }
        return try withBars(inShardOf: id) { [record] (bars) throws(BarSessionError) in
            let bar = StoredBar(record, client: client)
            try quota.addBar(bar.bytes, of: client)
            // A key can make a bar again before the expired one is removed.
            let replacesExpired = bars[id] != nil
            remove(id, from: &bars)
            bars[id] = bar
            return CreatedBar(id: id, creation: record.creation, replacesExpired: replacesExpired)
        }
    }

    private func remove(_ id: BarID, from bars: inout [BarID: StoredBar]) {
        if let bar = bars.removeValue(forKey: id) { quota.removeBar(bar.bytes, of: bar.client) }
    }

    /// The most attempts of an operation; each one that fails is the success of another write.
    private static let attempts = 1000

    package func perform(_ operation: some BarOperation, now: WallTime) throws -> Reply {
        let id = operation.id
        for _ in 0..<MemoryBarStore.attempts {
            var record = try self.record(id, now)
            var log: BarLog?
            if operation.needsLog(record) {
                let bar = try loggedBar(id, now)
                (record, log) = (bar.record, bar.log)
            }
            let base = record.tag
            switch try operation.decide(&record, log, now: now) {
            case .keep(let answer): return .now(.bar(answer))
            case .write(let write):
                let next = consume record
                let isDone = try withBars(inShardOf: id) {
                    let bar = try $0.bar(id, at: now)
                    guard bar.record.tag == base else { return false }
                    try bar.write(next, write.addition) { (bytes) throws(BarSessionError) in
                        try quota.reserve(bytes, for: bar.client)
                    }
                    return true
                }
                guard isDone else { continue }
                observers.publish(next, write.commands, of: id)
                return .now(.bar(write.answer))
            case .delete:
                let isDone = try withBars(inShardOf: id) {
                    guard try $0.bar(id, at: now).record.tag == base else { return false }
                    remove(id, from: &$0)
                    return true
                }
                guard isDone else { continue }
                observers.end(id, reason: "deleted")
                return .now(.bar(nil))
            }
        }
        throw BarSessionError.contended
    }

    /// Ends expired bars and their streams once a second until it is cancelled.
    package func sweep(now: @Sendable () -> WallTime) async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { expire(now: now()) }
    }

    /// Ends the bars that have expired, and their streams; ends idle ones, too, if a bar was refused since the last call.
    package func expire(now: WallTime) {
        for shard in shards {
            let expired = shard.bars.withLock { bars in
                let expired = bars.filter { $0.value.hasExpired(at: now) }.map(\.key)
                for id in expired { remove(id, from: &bars) }
                return expired
            }
            for id in expired { observers.end(id, reason: "expired") }
            shard.keys.withLock { $0.expire(now: now, in: quota) }
        }
        if quota.takeFullness() { endIdle(before: now.adding(seconds: -usualTTLSeconds)) }
    }

    /// Ends the bars with the earliest last write, if that was before `limit`: a sixteenth of all bars, and one at least.
    private func endIdle(before limit: WallTime) {
        var count = 0
        // Times alone, because the store has no memory left.
        var writes: [Int] = []
        for shard in shards {
            shard.bars.withLock { bars in
                count += bars.count
                writes += bars.values.lazy.map(\.lastWrite.milliseconds).filter { $0 < limit.milliseconds }
            }
        }
        writes.sort()
        var excess = max(1, count / 16)
        guard let latest = writes.prefix(excess).last else { return }
        for shard in shards {
            let ended = shard.bars.withLock { bars in
                let idle = bars.filter { $0.value.lastWrite.milliseconds <= latest }.map(\.key).prefix(excess)
                for id in idle { remove(id, from: &bars) }
                return idle
            }
            for id in ended { observers.end(id, reason: "expired") }
            excess -= ended.count
        }
    }
}

extension [BarID: StoredBar] {
    /// Returns a bar; one that has expired is `notFound`, whether it was removed or not.
    fileprivate func bar(_ id: BarID, at now: WallTime) throws(BarSessionError) -> StoredBar {
        guard let bar = self[id], !bar.hasExpired(at: now) else { throw .notFound }
        return bar
    }
}
