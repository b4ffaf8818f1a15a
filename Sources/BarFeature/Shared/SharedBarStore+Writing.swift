import BarLayout
import HTTPExchange
import Primitives
import SharedState

// The outcome of a write is unknown if the connection is lost, or the call times out, after it was sent. The call is
// then sent again with the same base, so the store performs at most one of them. The random number in the version
// shows whether this write made the present state.

extension SharedBarStore {
    /// Writes to a bar; returns the present bar if it has another version.
    ///
    /// If the store has no memory for the write, it is made without the log.
    ///
    /// - Throws: `unavailable`; the write was possibly made.
    func commit(
        _ write: BarWrite,
        on bar: SharedBar,
        of operation: any BarOperation,
        now: WallTime
    ) async throws -> SharedBar? {
        guard let change = try await logChange(of: write, on: bar, operation) else {
            return try await read(operation.id)
        }
        do {
            return try await commit(write, change, on: bar, of: operation, now: now)
        } catch SharedStateError.full {
            return try await commit(write, nil, on: bar, of: operation, now: now)
        }
    }

    /// Writes to a bar with a change of the log, and the extent of the log after it; with nil, the log ends.
    private func commit(
        _ write: BarWrite,
        _ change: (log: LogChange, extent: LogExtent)?,
        on bar: SharedBar,
        of operation: any BarOperation,
        now: WallTime
    ) async throws -> SharedBar? {
        let share = bar.share?.renewed(ttlSeconds: write.record.ttlSeconds, now: now)
        let next = SharedBar(
            record: write.record,
            log: change?.extent ?? LogExtent(),
            share: share ?? bar.share,
            nonce: makeNonce()
        )
        // It waits for the reply; a refusal changes nothing.
        try operation.memory.reserveWork(next.cost + write.addition.byteCount)
        var note = ByteWriter()
        note.put(write.commands)
        let commit = Commit(
            base: bar.version,
            record: next.bytes,
            timeToLive: .seconds(write.record.ttlSeconds),
            note: note.bytes,
            log: change?.log
        )
        let (result, isRepeated) = try await retries.run { try await store.commit(operation.id.key, commit) }
        switch result {
        case .done: break
        case .conflict(let bytes) where RecordVersion(bytes) == next.version: break
        case .missing: throw missing(operation.id)
        case .conflict(let bytes):
            let present = try decode(bytes)
            // If the present revision is lower than that of this write, the write was not made and its base is gone.
            guard !isRepeated || present.record.revision < next.record.revision || operation.isRepeatable else {
                throw BarSessionError.unavailable
            }
            return present
        }
        if let share { await shares.extend(share, operation.id, ttlSeconds: write.record.ttlSeconds) }
        cache(next, of: operation.id)
        return nil
    }

    /// The most entries that are read of a full log: more than are dropped at once.
    private static let oldestEntries = 128

    /// Returns the change of a log by a write, and its extent after it; nil if the store has another state than `bar`.
    private func logChange(
        of write: BarWrite,
        on bar: SharedBar,
        _ operation: any BarOperation
    ) async throws -> (log: LogChange, extent: LogExtent)? {
        var change = LogChange(entries: write.addition.parts)
        var extent = bar.log + write.addition.extent
        if bar.log.weight == 0 {
            change.origin = bar.record.originBytes
        } else if BarLog.isFull(extent) {
            // The weight of a log is not below its bytes. A log of another state is dropped at once.
            try operation.memory.reserveWork(bar.log.weight)
            let (present, stored) = try await readWithLog(operation.id, limit: SharedBarStore.oldestEntries)
            guard present.version == bar.version else { return nil }
            var ends: [Int] = []
            for entry in stored.entries { ends.append((ends.last ?? 0) + entry.count) }
            let trimmed = try readable {
                try present.log(of: stored).trimmed(extent, ends: ends, rules: rules)
            }
            if let trimmed, trimmed.droppedBytes > 0 {
                change.dropping = ends.prefix { $0 <= trimmed.droppedBytes }.count
                change.origin = trimmed.origin.originBytes
                extent = trimmed.extent
            }
        }
        return (change, extent)
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
