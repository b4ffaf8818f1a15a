import BarLayout
import Primitives
import SharedState

// The outcome of a write is unknown if the connection is lost, or the call times out, after it was sent. The call is
// then sent again with the same base, so the store performs at most one of them. The random number in the version
// shows whether this write made the present state.

extension SharedBarStore {
    /// The pauses before a call with an unknown outcome is sent again; a store that restarts is back within them.
    private static let pauses: [Duration] = [.zero, .milliseconds(50), .milliseconds(150), .milliseconds(400)]

    /// Stores a write on a bar; if the store has no memory for it, without the log.
    ///
    /// - Throws: `unavailable`; the write was possibly made.
    func store(
        _ write: BarWrite,
        on bar: SharedBar,
        of operation: any BarOperation,
        _ now: WallTime
    ) async throws -> SharedOutcome {
        guard let change = try await logChange(of: write, on: bar, operation, now) else {
            return .conflict(try await read(operation.id, now))
        }
        do {
            return try await store(write, change, on: bar, of: operation, now)
        } catch BarSessionError.full {
            return try await store(write, nil, on: bar, of: operation, now)
        }
    }

    /// Stores a write with a change of the log; with nil, the log ends.
    private func store(
        _ write: BarWrite,
        _ change: LogChange?,
        on bar: SharedBar,
        of operation: any BarOperation,
        _ now: WallTime
    ) async throws -> SharedOutcome {
        let (share, isRenewed) = renewedShare(of: bar, now)
        let next = SharedBar(
            record: write.record,
            log: change?.extent ?? LogExtent(),
            share: share,
            nonce: makeNonce()
        )
        var note = ByteWriter()
        note.put(write.commands)
        let exchange = SharedWrite(
            base: bar.version,
            value: next.value,
            timeToLive: .seconds(write.record.ttlSeconds),
            dropping: change?.dropping ?? 0,
            appending: change?.appending ?? [],
            note: note.bytes,
            endsLog: change == nil
        )
        let (result, isRepeated) = try await repeating(operation.id) { [engine] () async throws(SharedStateError) in
            try await engine.exchange(operation.id.key, exchange)
        }
        switch result {
        case .conflict(let value) where value.version == next.version: break
        case .done: break
        case .missing: return .missing
        case .conflict(let value):
            let present = try decode(value)
            // If the present revision is lower than that of this write, the write was not made and its base is gone.
            guard !isRepeated || present.record.revision < next.record.revision || operation.isRepeatable else {
                forget(operation.id)
                throw BarSessionError.unavailable
            }
            return .conflict(present)
        }
        if isRenewed, let share { await shares.renew(share, for: next.record, now) }
        return .done(next)
    }

    /// The elements of the log in the store to drop, and those to append.
    private struct LogChange {
        var dropping = 0
        var appending: [[UInt8]]
        var extent: LogExtent
    }

    /// Returns the change of a log by a write; nil if the store has another state than `bar`.
    ///
    /// The engine appends elements only at the end. So a full log is read, and written anew with its later origin.
    private func logChange(
        of write: BarWrite,
        on bar: SharedBar,
        _ operation: any BarOperation,
        _ now: WallTime
    ) async throws -> LogChange? {
        var change = LogChange(appending: write.addition.parts, extent: bar.log + write.addition.extent)
        if bar.log.weight == 0 {
            change.appending.insert(bar.record.originBytes, at: 0)
        } else if BarLog.isFull(change.extent, promised: limits.promisedEvents) {
            try operation.reserveLog()
            let (present, elements) = try await readWithElements(operation.id, now)
            guard present.version == bar.version else { return nil }
            let trimmed = try trimmed(elements, of: present, change.extent)
            change.dropping = elements.count
            change.appending.insert(contentsOf: trimmed.elements, at: 0)
            change.extent = trimmed.extent
        }
        return change
    }

    /// Returns the elements of a log without its oldest entries.
    private func trimmed(
        _ elements: [[UInt8]],
        of bar: SharedBar,
        _ extent: LogExtent
    ) throws -> (elements: [[UInt8]], extent: LogExtent) {
        let entries = elements.dropFirst()
        var ends: [Int] = []
        for element in entries { ends.append((ends.last ?? 0) + element.count) }
        do throws(StoredBytesError) {
            let log = try bar.log(of: elements)
            let trimmed = try log.trimmed(extent, promised: limits.promisedEvents, ends: ends, rules: rules)
            guard let trimmed else { throw .inconsistentLog }
            let dropped = ends.prefix { $0 <= trimmed.droppedBytes }.count
            return ([trimmed.origin.originBytes] + entries.dropFirst(dropped), trimmed.extent)
        } catch {
            throw unreadable(error)
        }
    }

    /// Deletes a bar and its place in the share of its client.
    func delete(_ bar: SharedBar, _ id: BarID, _ now: WallTime) async throws -> SharedOutcome {
        let (result, isRepeated) = try await repeating(id) { [engine] () async throws(SharedStateError) in
            try await engine.delete(id.key, base: bar.version)
        }
        switch result {
        case .conflict(let value): return .conflict(try decode(value))
        case .missing where !isRepeated: return .missing
        case .missing, .done:
            // A bar that is missing after a repetition was possibly deleted, and given back, by another replica.
            if result == .done { await shares.giveBack(bar.share, of: id, now) }
            limits.countDeletion()
            return .done(nil)
        }
    }

    /// Sends a call again as long as its outcome is unknown; returns its result, and whether it was sent more than once.
    private func repeating(
        _ id: BarID,
        _ call: () async throws(SharedStateError) -> SharedExchange
    ) async throws -> (result: SharedExchange, isRepeated: Bool) {
        var isRepeated = false
        for time in SharedBarStore.pauses {
            if isRepeated, time > .zero { try await pause(time) }
            do throws(SharedStateError) {
                return (try await call(), isRepeated)
            } catch {
                switch error {
                case .unknownOutcome: isRepeated = true
                case .unavailable where isRepeated: continue
                default:
                    forget(id)
                    throw isRepeated && error != .cancelled ? BarSessionError.unavailable : error.forBars
                }
            }
        }
        forget(id)
        throw BarSessionError.unavailable
    }

    /// Returns the share of a bar after a write, and whether the write has to extend its value.
    func renewedShare(of bar: SharedBar, _ now: WallTime) -> (share: SharedBar.Share?, isRenewed: Bool) {
        guard shares.needsRenewal(bar.share, now) else { return (bar.share, false) }
        return (bar.share?.renewed(at: now), true)
    }
}

extension SharedBar.Share {
    fileprivate func renewed(at now: WallTime) -> SharedBar.Share {
        SharedBar.Share(client: client, renewedAt: now)
    }
}
