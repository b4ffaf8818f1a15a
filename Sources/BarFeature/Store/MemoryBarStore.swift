package import HTTPExchange
package import Primitives
import Synchronization

/// Bars in the memory of the process.
///
/// The bars are in 64 shards, each under a lock of its own, so threads seldom wait for each other. An operation decides on
/// a copy of the record without the lock, and the shard stores the next one if the version is still the same.
///
/// **Without memory a write drops the log of its own bar.** Only if that is not enough, the write is refused, and so are
/// creations. The next sweep then ends the bars that were idle longest, but none that was written within the usual time to
/// live: a long time to live is a wish, and a few clients could keep all others out with it.
package final class MemoryBarStore: BarStore {
    /// An object that holds locks, because an array cannot; a key is locked before a bar.
    private final class Shard: Sendable {
        let keys = Lock(CreationKeys())
        let bars: Lock<BarShard>

        init(_ quota: BarQuota) {
            bars = Lock(BarShard(quota: quota))
        }
    }

    package let observers: BarObservers
    private let shards: [Shard]
    private let quota: BarQuota
    private let usualTTLSeconds: Int

    /// Has at most `maxSessions` bars, and `maxBytes` of bars, logs and keys; `maxSessionsPerClient` limits both for a client.
    ///
    /// No bar ends within `usualTTLSeconds` after a write, unless its own time to live is shorter.
    package init(
        maxSessions: Int,
        maxBytes: Int,
        maxSessionsPerClient: Int = 0,
        usualTTLSeconds: Int = 900,
        observers: BarObservers = BarObservers()
    ) {
        self.observers = observers
        self.usualTTLSeconds = usualTTLSeconds
        let quota = BarQuota(maxSessions: maxSessions, maxBytes: maxBytes, maxSessionsPerClient: maxSessionsPerClient)
        self.quota = quota
        shards = (0..<64).map { _ in Shard(quota) }
    }

    package var statistics: BarStatistics? { quota.statistics }

    package var shared: SharedStoreStatus? { nil }

    /// Only this process writes, so there is nothing to watch.
    package func watch(_ id: BarID) -> @Sendable () -> Void { {} }

    private func withShard<Result: Sendable, Failure: Error>(
        of id: BarID,
        _ body: (inout BarShard) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        let shard = shards[Int(id.low % UInt64(shards.count))]
        return try shard.bars.withLock { (bars) throws(Failure) in try body(&bars) }
    }

    package func load(_ id: BarID, now: WallTime) throws -> Promised<BarRecord> {
        .now(try withShard(of: id) { (shard) throws(BarSessionError) in try shard.record(id, now: now) })
    }

    package func loadWithLog(_ id: BarID, now: WallTime) throws -> Promised<LoggedBar> {
        .now(try withShard(of: id) { try $0.recordWithLog(id, now: now) })
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
            let creation = CreationKeys.Creation(fingerprint: key.fingerprint, id: id, end: end, client: client?.bits)
            try keys.add(key.key, creation, in: quota)
            do {
                return try insert(record, id, client)
            } catch {
                keys.remove(key.key, in: quota)
                throw error
            }
        }
        guard earlier.fingerprint == key.fingerprint else { throw .keyReused }
        let bar = try? withShard(of: earlier.id) { try $0.record(earlier.id, now: now) }
        guard let bar else { return try insert(record, earlier.id, client, isRepeated: true) }
        return CreatedBar(id: earlier.id, creation: bar.creation, expiresAt: bar.expiresAt)
    }

    private func insert(
        _ record: BarRecord,
        _ id: BarID,
        _ client: ClientKey?,
        isRepeated: Bool = false
    ) throws(BarSessionError) -> CreatedBar {
        try withShard(of: id) { (shard) throws(BarSessionError) in
            try shard.insert(record, as: id, client: client, isRepeated: isRepeated)
        }
    }

    /// The most attempts of an operation; each one that fails is the success of another write.
    private static let attempts = 1000

    package func perform(_ operation: some BarOperation, now: WallTime) throws -> Reply {
        let id = operation.id
        for _ in 0..<MemoryBarStore.attempts {
            var record = try withShard(of: id) { (shard) throws(BarSessionError) in try shard.record(id, now: now) }
            var log: BarLog?
            if operation.needsLog(record) {
                let bar = try withShard(of: id) { try $0.recordWithLog(id, now: now) }
                (record, log) = (bar.record, bar.log)
            }
            let base = record.tag
            switch try operation.decide(&record, log, now: now) {
            case .keep(let answer): return .now(.bar(answer))
            case .write(let write):
                let isDone = try withShard(of: id) {
                    try $0.write(record, write.addition, to: id, base: base, now: now)
                }
                guard isDone else { continue }
                observers.publish(record, write.commands, of: id)
                return .now(.bar(write.answer))
            case .delete:
                let isDone = try withShard(of: id) { try $0.remove(id, base: base, now: now) }
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
        let limit = quota.takeFullness() ? now.adding(seconds: -usualTTLSeconds) : nil
        for shard in shards {
            let ended = shard.bars.withLock { bars in
                bars.expire(now: now) + (limit.map { bars.endIdle(before: $0) } ?? [])
            }
            for id in ended { observers.end(id, reason: "expired") }
            shard.keys.withLock { $0.expire(now: now, in: quota) }
        }
    }
}
