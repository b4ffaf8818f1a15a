package import HTTPExchange
package import Primitives
import Synchronization

/// Bars in the memory of the process.
///
/// The bars are in 256 shards, each under a lock of its own, so threads seldom wait for each other. A short operation decides
/// under it, so that no other write comes between. A long one decides on a copy, and stores the next record if the version is
/// still the same: all threads could come to wait for the lock.
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
    private let shards = (0..<256).map { _ in Shard() }
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
        guard let key else { return .now(try insert(record, id, client)) }
        // A key can make a bar again before the expired one is removed.
        var expired: BarID?
        defer { if let expired { observers.end(expired, reason: "expired") } }
        // The lock is held until the bar is stored, so two requests with one key create one bar.
        let shard = shards[Int(UInt(bitPattern: key.key.hashValue) % UInt(shards.count))]
        return .now(try shard.keys.withLock { try create(record, as: id, key, client, &$0, &expired, at: now) })
    }

    private func create(
        _ record: BarRecord,
        as id: BarID,
        _ key: CreationKey,
        _ client: ClientKey?,
        _ keys: inout CreationKeys,
        _ expired: inout BarID?,
        at now: WallTime
    ) throws(BarSessionError) -> CreatedBar {
        guard let earlier = keys.creation(with: key.key, now: now) else {
            let end = now.adding(seconds: CreationKey.life(ttlSeconds: record.ttlSeconds))
            let creation = CreationKeys.Creation(
                fingerprint: key.fingerprint,
                id: id,
                start: now,
                end: end,
                client: client
            )
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
            // First, so that it does not count.
            let isRemoved = withBars(inShardOf: earlier.id) { remove(earlier.id, from: &$0) }
            if isRemoved { expired = earlier.id }
            keys.renew(key.key, at: now)
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
            bars[id] = bar
            return CreatedBar(id: id, creation: record.creation)
        }
    }

    /// Removes a bar; returns false if there is none.
    @discardableResult
    private func remove(_ id: BarID, from bars: inout [BarID: StoredBar]) -> Bool {
        guard let bar = bars.removeValue(forKey: id) else { return false }
        quota.removeBar(bar.bytes, of: bar.client)
        return true
    }

    /// The attempts of a long operation; each one that fails is the success of another write.
    private static let attempts = 3

    package func perform(_ operation: some BarOperation, now: WallTime) throws -> Reply {
        let id = operation.id
        let outcome: Outcome? = try withBars(inShardOf: id) { bars in
            let bar = try bars.bar(id, at: now)
            guard operation.isShort, !operation.needsLog(bar.record) else { return nil }
            var record = bar.record
            let decision = try operation.decide(&record, nil, now: now)
            return try carryOut(decision, record, on: bar, since: bar.record.tag, id, of: &bars)
        }
        if let outcome { return outcome.reply() }
        for _ in 0..<MemoryBarStore.attempts {
            var (record, log) = try withBars(inShardOf: id) { bars in
                let bar = try bars.bar(id, at: now)
                return (bar.record, operation.needsLog(bar.record) ? try bar.readLog() : nil)
            }
            let tag = record.tag
            let decision = try operation.decide(&record, log, now: now)
            // A write would copy the log that is read.
            log = nil
            let outcome: Outcome? = try withBars(inShardOf: id) { [record] bars in
                try carryOut(decision, record, on: bars.bar(id, at: now), since: tag, id, of: &bars)
            }
            if let outcome { return outcome.reply() }
        }
        throw BarSessionError.contended
    }

    /// What an operation has done: its answer, and what tells the observers of the bar.
    private struct Outcome: Sendable {
        let answer: EncodedBar?
        var inform: (@Sendable () -> Void)?

        /// Informs the observers, which no lock may wait for; returns the reply.
        func reply() -> Reply {
            inform?()
            return .now(.bar(answer))
        }
    }

    /// Carries out a decision; returns nil if it changes a bar that has changed since it was made.
    private func carryOut(
        _ decision: borrowing BarDecision,
        _ next: BarRecord,
        on bar: StoredBar,
        since tag: BarTag,
        _ id: BarID,
        of bars: inout [BarID: StoredBar]
    ) throws -> Outcome? {
        switch decision {
        case .keep(let answer): return Outcome(answer: answer)
        case .write(let write):
            guard bar.record.tag == tag else { return nil }
            try bar.write(next, write.addition) { (bytes) throws(BarSessionError) in
                try quota.reserve(bytes, for: bar.client)
            }
            // An observer that is added from now on reads this write.
            guard observers.count > 0 else { return Outcome(answer: write.answer) }
            let (record, commands) = (bar.record, write.commands)
            return Outcome(answer: write.answer) { [observers] in observers.publish(record, commands, of: id) }
        case .delete:
            guard bar.record.tag == tag else { return nil }
            remove(id, from: &bars)
            return Outcome(answer: nil) { [observers] in observers.end(id, reason: "deleted") }
        }
    }

    /// Ends expired bars and their streams once a second until it is cancelled.
    package func sweep(now: @Sendable () -> WallTime) async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { expire(now: now()) }
    }

    /// Ends the bars that have expired, and their streams; ends idle ones, too, if a bar was refused since the last call.
    package func expire(now: WallTime) {
        var ended = 0
        for shard in shards {
            let expired = shard.bars.withLock { bars in
                let expired = Array(bars.lazy.filter { $0.value.hasExpired(at: now) }.map(\.key))
                for id in expired { remove(id, from: &bars) }
                return expired
            }
            for id in expired { observers.end(id, reason: "expired") }
            shard.keys.withLock { $0.expire(now: now, in: quota) }
            ended += expired.count
        }
        guard quota.takeFullness() else { return }
        let limit = now.adding(seconds: -usualTTLSeconds)
        for shard in shards {
            shard.keys.withLock { keys in
                keys.removeUnused(before: limit, in: quota) { id in withBars(inShardOf: id) { $0[id] != nil } }
            }
        }
        endIdle(before: limit, ended: ended)
    }

    /// Ends the bars with the earliest last write, if that was before `limit`.
    ///
    /// With the bars that have ended already, it is a sixteenth of all, and one at least.
    private func endIdle(before limit: WallTime, ended: Int) {
        var count = ended
        // Times alone, because the store has no memory left.
        var writes: [Int] = []
        for shard in shards {
            shard.bars.withLock { bars in
                count += bars.count
                writes += bars.values.lazy.map(\.lastWrite.milliseconds).filter { $0 < limit.milliseconds }
            }
        }
        writes.sort()
        var excess = max(0, max(1, count / 16) - ended)
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
