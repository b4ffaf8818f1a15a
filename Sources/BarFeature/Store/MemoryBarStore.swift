package import HTTPExchange
package import Primitives
import Synchronization

/// Bars in the memory of the process.
///
/// The bars are in 64 shards, each under a lock of its own, so threads seldom wait for each other. A bar is bytes: an
/// operation decides on the decoded record, and the shard replaces the bytes if the version is still the same.
///
/// **Without memory a write drops the log of its own bar.** Only if that is not enough, the write is refused, and so are
/// creations.
package final class MemoryBarStore: BarStore {
    /// An object that holds locks, because an array cannot; a key is locked before a bar.
    private final class Shard: Sendable {
        let keys = Lock(CreationKeys())
        let bars: Lock<BarShard>

        init(_ memory: BarMemory) {
            bars = Lock(BarShard(memory: memory))
        }
    }

    package let observers: BarObservers
    private let shards: [Shard]
    private let memory: BarMemory
    private let sessions = Atomic<Int>(0)
    private let maxSessions: Int
    /// The number of each client's bars.
    private let clientSessions: ClientShares

    /// - Parameters:
    ///   - maxSessions: the most bars, at least 1.
    ///   - maxBytes: the most bytes of bars, their logs and their keys.
    ///   - maxSessionsPerClient: the most bars of one client; 0 for no limit. The bytes of one client's bars are limited to
    ///     an eighth of `maxBytes`, or to the fraction that `maxSessionsPerClient` is of `maxSessions` if that is more.
    ///   - observers: the observers of the bars.
    package init(
        maxSessions: Int,
        maxBytes: Int,
        maxSessionsPerClient: Int = 0,
        observers: BarObservers = BarObservers()
    ) {
        self.observers = observers
        self.maxSessions = maxSessions
        let share = min(1, max(1.0 / 8, Double(maxSessionsPerClient) / Double(maxSessions)))
        let memory = BarMemory(
            limit: maxBytes,
            clientLimit: maxSessionsPerClient == 0 ? 0 : max(1, Int.clamping(Double(maxBytes) * share))
        )
        self.memory = memory
        clientSessions = ClientShares(limit: maxSessionsPerClient)
        shards = (0..<64).map { _ in Shard(memory) }
    }

    package var statistics: BarStatistics? {
        BarStatistics(
            sessions: sessions.load(ordering: .relaxed),
            maxSessions: maxSessions,
            bytes: memory.bytes,
            maxBytes: memory.limit
        )
    }

    package var shared: SharedStoreStatus? { nil }

    /// Only this process writes, so there is nothing to watch.
    package func watch(_ id: BarID) -> @Sendable () -> Void { {} }

    // MARK: Reading

    package func load(_ id: BarID, now: WallTime) throws -> Promised<BarRecord> {
        .now(try bar(id, at: now).record)
    }

    package func loadWithLog(_ id: BarID, now: WallTime) throws -> Promised<LoggedBar> {
        let (record, _, log) = try barWithLog(id, at: now)
        return .now(LoggedBar(record: record, log: log))
    }

    private func bar(_ id: BarID, at now: WallTime) throws -> (record: BarRecord, base: BarShard.Base) {
        try withShard(of: id) { try $0.bar(id, now: now) }
    }

    private func barWithLog(
        _ id: BarID,
        at now: WallTime
    ) throws -> (record: BarRecord, base: BarShard.Base, log: BarLog) {
        let (record, base, log) = try withShard(of: id) { try $0.barAndLog(id, now: now) }
        let lastSequence = record.lastSequence
        return (record, base, try BarLog(origin: log.origin, entries: log.entries, lastSequence: lastSequence))
    }

    // MARK: Creating

    package func create(
        _ record: BarRecord,
        as id: BarID,
        key: CreationKey?,
        memory: RequestMemory,
        now: WallTime
    ) throws -> Promised<CreatedBar> {
        let client = clientSessions.limit == 0 ? nil : memory.account.client
        guard let key else { return .now(try insert(record, id, client)) }
        // The lock is held until the bar is stored, so two requests with one key create one bar.
        return .now(try shard(of: key.key).keys.withLock { try create(record, as: id, key, client, &$0, at: now) })
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
            try keys.add(key, creation, in: memory)
            do {
                return try insert(record, id, client)
            } catch {
                keys.remove(key.key, in: memory)
                throw error
            }
        }
        guard earlier.fingerprint == key.fingerprint else { throw .keyReused }
        let end = withShard(of: earlier.id) { $0.end(of: earlier.id, now: now) }
        return if let end { CreatedBar(id: earlier.id, expiresAt: end) } else { try insert(record, earlier.id, client) }
    }

    /// Counts a new bar, takes its client's share, and stores it.
    private func insert(_ record: BarRecord, _ id: BarID, _ client: ClientKey?) throws(BarSessionError) -> CreatedBar {
        guard clientSessions.reserve(client) else { throw .clientShare }
        do throws(BarSessionError) {
            guard sessions.add(1, ordering: .relaxed).newValue <= maxSessions else { throw BarSessionError.full }
            let end = BarEnd(record, log: LogExtent())
            let expired = try withShard(of: id) { (shard) throws(BarSessionError) in
                try shard.insert(end, as: id, client: client)
            }
            if let expired { release(expired) }
            return CreatedBar(id: id, replacesExpired: expired != nil)
        } catch {
            sessions.subtract(1, ordering: .relaxed)
            clientSessions.release(client)
            throw error
        }
    }

    // MARK: Performing operations

    /// The most attempts of an operation.
    ///
    /// Every failed attempt is the success of another write. Only a long batch on a bar with many writers reaches it.
    private static let attempts = 1000

    package func perform(_ operation: some BarOperation, now: WallTime) throws -> Promised<EncodedBar?> {
        let id = operation.id
        for _ in 0..<MemoryBarStore.attempts {
            var (record, base) = try bar(id, at: now)
            var log: BarLog?
            if operation.needsLog(record) { (record, base, log) = try barWithLog(id, at: now) }
            let origin = base.extent.weight == 0 ? record.originBytes : nil
            switch try operation.decide(consume record, log, now: now) {
            case .keep(let answer): return .now(answer)
            case .write(let write):
                guard try store(write.record, write.addition, of: id, on: base, origin, at: now) else { continue }
                observers.publish(write.record, write.commands, of: id)
                return .now(write.answer)
            case .delete:
                guard try delete(id, base.version, at: now) else { continue }
                observers.end(id, reason: "deleted")
                return .now(nil)
            }
        }
        throw BarSessionError.contended
    }

    /// Stores the next record of a bar; returns false if the stored version is no longer that of `base`.
    ///
    /// `origin` is that of a log that begins; nil if the bar has a log.
    private func store(
        _ record: BarRecord,
        _ addition: consuming LogAddition,
        of id: BarID,
        on base: BarShard.Base,
        _ origin: [UInt8]?,
        at now: WallTime
    ) throws -> Bool {
        var extent = base.extent + addition.extent
        var change = BarShard.LogWrite.keep
        if let origin {
            change = .begin(origin: origin, dropping: 0)
        } else if BarLog.isFull(extent) {
            let (_, present, log) = try barWithLog(id, at: now)
            guard present.version == base.version else { return false }
            guard let trimmed = try log.trimmed(extent) else { throw StoredBytesError.inconsistentLog }
            extent = trimmed.extent
            change = .begin(origin: trimmed.origin.originBytes, dropping: trimmed.droppedBytes)
        }
        let outcome: BarShard.Outcome
        do throws(BarSessionError) {
            let end = BarEnd(record, log: extent, after: addition)
            outcome = try replace(base.version, of: id, by: end, change, revision: record.revision, at: now)
        } catch {
            // A log can be dropped and a record cannot, so the write goes on without its log.
            let end = BarEnd(record, log: LogExtent())
            outcome = try replace(base.version, of: id, by: end, .drop, revision: record.revision, at: now)
        }
        return try MemoryBarStore.isDone(outcome)
    }

    private func replace(
        _ base: BarVersion,
        of id: BarID,
        by end: borrowing BarEnd,
        _ change: BarShard.LogWrite,
        revision: Int,
        at now: WallTime
    ) throws(BarSessionError) -> BarShard.Outcome {
        let write = BarShard.Write(base: base, revision: revision, log: change)
        return try withShard(of: id) { (shard) throws(BarSessionError) in
            try shard.replace(id, by: write, end, now: now)
        }
    }

    /// Deletes a bar; returns false if the stored version is no longer `base`.
    private func delete(_ id: BarID, _ base: BarVersion, at now: WallTime) throws(BarSessionError) -> Bool {
        let (outcome, removed) = withShard(of: id) { $0.remove(id, base: base, now: now) }
        if let removed { release(removed) }
        return try MemoryBarStore.isDone(outcome)
    }

    /// Returns whether a change was made; false if the version was another one.
    private static func isDone(_ outcome: BarShard.Outcome) throws(BarSessionError) -> Bool {
        switch outcome {
        case .done: true
        case .conflict: false
        case .notFound: throw .notFound
        }
    }

    // MARK: Ending

    /// A quarter of the shards: each part wakes an idle service once a second.
    package var parts: Int { shards.count / 4 }

    package func expire(part: Int, now: WallTime) -> [BarID] {
        var removed: [BarShard.Removed] = []
        for shard in stride(from: part, to: shards.count, by: parts).map({ shards[$0] }) {
            removed += shard.bars.withLock { $0.expire(now: now) }
            shard.keys.withLock { $0.expire(now: now, in: memory) }
        }
        for bar in removed { release(bar) }
        return removed.map(\.id)
    }

    /// Gives back the share of a bar that its shard has removed.
    private func release(_ bar: BarShard.Removed) {
        sessions.subtract(1, ordering: .relaxed)
        clientSessions.release(bar.client)
    }

    // MARK: Shards

    private func shard(of key: IdempotencyKey) -> Shard {
        shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))]
    }

    private func withShard<Result: Sendable, Failure: Error>(
        of id: BarID,
        _ body: (inout BarShard) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        let shard = shards[Int(id.low % UInt64(shards.count))]
        return try shard.bars.withLock { (bars) throws(Failure) in try body(&bars) }
    }
}

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
