import BarLayout
import HTTPExchange
import Primitives
import SharedState
import Synchronization

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
        _ write: borrowing BarWrite,
        on bar: SharedBar,
        of operation: some BarOperation,
        now: WallTime
    ) async throws -> SharedBar? {
        let key = operation.id.key
        let extent = bar.log + write.addition.extent
        var change = (log: LogChange(entries: write.addition.parts), extent: extent)
        if bar.log.weight == 0 {
            change.log.origin = bar.record.originBytes
        } else if BarLog.isFull(extent), !(try await trim(&change, of: bar, operation)) {
            return try await read(operation.id)
        }
        var (next, commit) = try prepare(write, change, on: bar, of: operation, now: now)
        let result: CommitResult
        var isRepeated = false
        do throws(any Error) {
            do throws(any Error) {
                result = try await store.commit(key, commit)
            } catch SharedStateError.full {
                (next, commit) = try prepare(write, nil, on: bar, of: operation, now: now)
                result = try await store.commit(key, commit)
            }
        } catch SharedStateError.unknownOutcome {
            isRepeated = true
            result = try await retries.again { [commit] in try await store.commit(key, commit) }
        }
        if let present = try present(after: result, of: next, isRepeated, operation) { return present }
        if let share = next.share, share != bar.share {
            await shares.extend(share, operation.id, ttlSeconds: write.record.ttlSeconds)
        }
        cache(next, of: operation.id)
        return nil
    }

    /// Returns the next state of a bar and the commit that makes it.
    ///
    /// `change` is that of the log, with the extent of the log after it; with nil, the log ends.
    private func prepare(
        _ write: borrowing BarWrite,
        _ change: (log: LogChange, extent: LogExtent)?,
        on bar: SharedBar,
        of operation: some BarOperation,
        now: WallTime
    ) throws -> (next: SharedBar, commit: Commit) {
        let next = SharedBar(
            record: write.record,
            log: change?.extent ?? LogExtent(),
            share: bar.share?.renewed(ttlSeconds: write.record.ttlSeconds, now: now),
            nonce: makeNonce()
        )
        // It waits for the reply; a refusal changes nothing.
        try operation.memory.reserveWork(next.cost + write.addition.byteCount)
        var note = ByteWriter()
        note.put(write.commands)
        let life = Duration.seconds(write.record.ttlSeconds)
        let log = change?.log
        return (next, Commit(base: bar.version, record: next.bytes, timeToLive: life, note: note.bytes, log: log))
    }

    /// Returns the present bar if a commit was refused because of it; nil if the commit was made.
    private func present(
        after result: CommitResult,
        of next: SharedBar,
        _ isRepeated: Bool,
        _ operation: some BarOperation
    ) throws -> SharedBar? {
        switch result {
        case .done: return nil
        case .missing: throw missing(operation.id)
        case .conflict(let bytes):
            if RecordVersion(bytes) == next.version { return nil }
            let present = try decode(bytes)
            // If the present revision is lower than that of this write, the write was not made and its base is gone.
            guard !isRepeated || present.record.revision < next.record.revision || operation.isRepeatable else {
                throw BarSessionError.unavailable
            }
            return present
        }
    }

    /// Adds to a change that it drops the oldest entries; returns false if the store has another state than `bar`.
    private func trim(
        _ change: inout (log: LogChange, extent: LogExtent),
        of bar: SharedBar,
        _ operation: some BarOperation
    ) async throws -> Bool {
        // The weight of a log is not below its bytes. A log of another state is dropped at once.
        try operation.memory.reserveWork(bar.log.weight)
        // If more must be dropped than these entries, the next write drops them.
        let (present, stored) = try await readWithLog(operation.id, limit: BarLog.spareEvents)
        guard present.version == bar.version else { return false }
        var ends: [Int] = []
        for entry in stored.entries { ends.append((ends.last ?? 0) + entry.count) }
        let extent = change.extent
        let trimmed = try readable {
            try present.log(of: stored).trimmed(extent, ends: ends, rules: rules)
        }
        guard let trimmed, trimmed.droppedBytes > 0 else { return true }
        change.log.dropping = ends.prefix { $0 <= trimmed.droppedBytes }.count
        change.log.origin = trimmed.origin.originBytes
        change.extent = trimmed.extent
        return true
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

/// Runs the writes of a bar in this replica one after the other, in the order of their arrival.
///
/// Concurrent writes on one record would conflict at the store, and each conflict would cost a round trip.
final class WriteQueues: Sendable {
    /// The writes that wait for the present one of their bar; a bar without writes has no entry.
    private let queues = Lock<[BarID: [PendingResult<Bool>]]>([:])

    /// The number of bars with writes.
    var count: Int { queues.withLock(\.count) }

    /// Adds a write to its bar; returns its turn if it has to wait for earlier ones, which is false after a cancellation.
    ///
    /// `leave` must follow, except after a cancellation.
    func enter(_ id: BarID) -> PendingResult<Bool>? {
        queues.withLock { queues in
            guard queues[id] == nil else {
                let waiting = PendingResult<Bool>()
                queues[id]?.append(waiting)
                return waiting
            }
            queues[id] = []
            return nil
        }
    }

    /// Starts the next write that still waits; without one, removes the bar.
    func leave(_ id: BarID) {
        while let next = queues.withLock({ queues in
            if queues[id]?.isEmpty == false { return queues[id]?.removeFirst() }
            queues[id] = nil
            return nil
        }) {
            if next.deliver(true) { return }
        }
    }
}
