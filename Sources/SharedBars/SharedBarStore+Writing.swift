import BarFeature
import BarLayout
import HTTPExchange
import Primitives
import SharedState
import StoredBytes
import Synchronization

// The outcome of a write is unknown if the connection is lost, or the call times out, after it was sent. The call is
// then sent again with the same base, so the store performs at most one of them. The random number in the version
// shows whether this write made the present state.

extension SharedBarStore {
    /// Writes to a bar; returns the present bar if it has another version, which is a conflict.
    ///
    /// If the store has no memory for the write, or the log is larger than a reply may be, it is made without the log.
    ///
    /// - Throws: `unavailable`; the write was possibly made.
    func write(
        _ record: BarRecord,
        _ write: borrowing BarWrite,
        on bar: SharedBar,
        of operation: some BarOperation,
        now: WallTime
    ) async throws -> SharedBar? {
        var log = LogChange(entries: write.addition.parts)
        var extent = bar.log + write.addition.extent
        if bar.log.cost == 0 {
            log.start = bar.record.startBytes
        } else if BarLog.isFull(extent), let present = try await trim(&log, &extent, of: bar, for: operation) {
            return present
        }
        let share = bar.share?.renewed(ttlSeconds: record.ttlSeconds, now: now)
        let hasLog = extent.cost <= BarLog.largestCost
        var next = SharedBar(record: record, log: hasLog ? extent : LogExtent(), share: share, nonce: makeNonce())
        // It waits for the reply; a refusal changes nothing.
        try operation.memory.reserveWork(next.cost + write.addition.byteCount)
        var broadcast = ByteWriter()
        broadcast.put(write.commands)
        var commit = Commit(
            base: bar.version,
            record: next.bytes,
            timeToLive: .seconds(record.ttlSeconds),
            broadcast: (consume broadcast).bytes,
            log: hasLog ? log : nil
        )
        let key = operation.id.key
        var (result, isRepeated): (CommitResult, Bool)
        do {
            (result, isRepeated) = try await retries.run { [commit] in try await store.commit(key, commit) }
        } catch SharedStateError.full {
            next = SharedBar(record: record, log: LogExtent(), share: share, nonce: next.version.low)
            (commit.record, commit.log) = (next.bytes, nil)
            (result, isRepeated) = try await retries.run { [commit] in try await store.commit(key, commit) }
        }
        if case .conflict(let bytes) = result, RecordVersion(bytes) == next.version { result = .done }
        switch result {
        case .missing: throw missing(operation.id)
        case .conflict(let bytes):
            let present = try decode(bytes)
            // If the present revision is lower than that of this write, the write was not made and its base is gone.
            guard !isRepeated || present.record.revision < record.revision || operation.isIdempotent else {
                throw BarSessionError.unavailable
            }
            return present
        case .done:
            if let share, share != bar.share {
                await shares.extend(share, operation.id, ttlSeconds: record.ttlSeconds)
            }
            cache(next, of: operation.id)
            return nil
        }
    }

    /// Has a write drop the oldest entries of a full log; returns the present bar if it is another state than `bar`.
    private func trim(
        _ log: inout LogChange,
        _ extent: inout LogExtent,
        of bar: SharedBar,
        for operation: some BarOperation
    ) async throws -> SharedBar? {
        // The write ends it.
        guard bar.log.cost <= BarLog.largestCost else { return nil }
        // The cost of a log is not below its bytes. A log of another state is dropped at once.
        try operation.memory.reserveWork(bar.log.cost)
        let full = extent
        // The oldest entries are usually enough. Small ones before large ones are not.
        for limit in [BarLog.spareEvents, .max] where BarLog.isFull(extent) {
            let (present, stored) = try await readWithLog(operation.id, limit: limit)
            guard present.version == bar.version else { return present }
            var ends: [Int] = []
            for entry in stored.entries { ends.append((ends.last ?? 0) + entry.count) }
            let trimmed = try readable { try present.log(of: stored).trimmed(full, ends: ends) }
            if let trimmed, trimmed.droppedBytes > 0 {
                log.dropping = ends.prefix { $0 <= trimmed.droppedBytes }.count
                log.start = trimmed.start.startBytes
                extent = trimmed.extent
            }
        }
        return nil
    }

    /// Removes a bar and its place in the share of its client; returns the present bar if it is another one.
    func remove(_ bar: SharedBar, _ id: BarID) async throws -> SharedBar? {
        let (result, isRepeated) = try await retries.run { try await store.remove(id.key, base: bar.version) }
        switch result {
        case .conflict(let bytes): return try decode(bytes)
        case .missing where !isRepeated: throw missing(id)
        // A repeated call finds no bar because the first call has removed it, and only its reply was lost.
        case .missing, .done:
            await shares.release(bar.share, of: id)
            forget(id)
            return nil
        }
    }
}

/// Runs the writes of a bar in this replica one after the other, in the order in which their tasks begin.
///
/// Concurrent writes on one record would conflict at the store, and each conflict would cost a round trip: without turns, 16
/// writers of a bar take 2.3 times the CPU, and of 64 writers one in seven is refused after all attempts.
final class WriteQueues: Sendable {
    /// The writes that wait for the present one of their bar; a bar without writes has no entry.
    private let queues = Lock<[BarID: [CheckedContinuation<Bool, Never>]]>([:])

    /// The number of writes that have begun or wait.
    var count: Int { queues.withLock { $0.values.reduce(0) { $0 + 1 + $1.count } } }

    /// Waits until the earlier writes of a bar have ended; `leave` or `fail` must follow.
    ///
    /// Returns false if the one before has failed; neither must follow then.
    @discardableResult
    func enter(_ id: BarID) async -> Bool {
        await withCheckedContinuation { turn in
            let isFirst = queues.withLock { queues in
                guard var waiting = queues.updateValue([], forKey: id) else { return true }
                waiting.append(turn)
                queues[id] = waiting
                return false
            }
            if isFirst { turn.resume(returning: true) }
        }
    }

    /// Ends a write and lets the next one begin; without one, removes the bar.
    func leave(_ id: BarID) {
        let next = queues.withLock { queues -> CheckedContinuation<Bool, Never>? in
            guard var waiting = queues.removeValue(forKey: id), !waiting.isEmpty else { return nil }
            let next = waiting.removeFirst()
            queues[id] = waiting
            return next
        }
        next?.resume(returning: true)
    }

    /// Ends a write, and those that wait for it.
    func fail(_ id: BarID) {
        for write in queues.withLock({ $0.removeValue(forKey: id) }) ?? [] { write.resume(returning: false) }
    }
}
