import Primitives
import SharedState

/// What a fake store has, and the changes that its calls make.
extension FakeStore.State {
    /// Returns what a key has, unless it has ended.
    func live(_ key: String, _ now: WallTime) -> FakeStore.Stored? {
        guard let stored = stored[key], stored.end.milliseconds > now.milliseconds else { return nil }
        return stored
    }

    func record(_ key: String, _ now: WallTime) throws(SharedStateError) -> LoggedRecord? {
        switch live(key, now)?.content {
        case nil: return nil
        case .record(let record) where record.record.count >= RecordVersion.byteCount: return record
        default: throw .refused
        }
    }

    func value(_ key: String, _ now: WallTime) throws(SharedStateError) -> [UInt8]? {
        switch live(key, now)?.content {
        case nil: return nil
        case .value(let value): return value
        default: throw .refused
        }
    }

    /// Returns the members that a share counts.
    func members(_ key: String, _ now: WallTime) -> [[UInt8]: WallTime] {
        guard case .share(let members) = live(key, now)?.content else { return [:] }
        return members.filter { $0.value.milliseconds > now.milliseconds }
    }

    /// Replaces the record of a key if it has the version of the commit.
    mutating func write(_ key: String, _ commit: Commit, _ now: WallTime) throws(SharedStateError) -> CommitResult {
        guard var next = try record(key, now) else { return .missing }
        guard RecordVersion(next.record) == commit.base else { return .conflict(next.record) }
        if let log = commit.log, log.dropping > next.entries.count { throw .refused }
        // A log of many entries that only `next` refers to is changed and not copied.
        stored[key] = nil
        next.apply(commit)
        stored[key] = FakeStore.Stored(content: .record(next), end: now.adding(commit.timeToLive))
        notify(key, .written(commit.record + commit.broadcast))
        return .done
    }

    mutating func notify(_ key: String, _ event: WatchEvent) {
        guard isConnected else { return }
        let watching = watches.filter { $0.value.key == key }.map(\.key)
        if !watching.isEmpty { deliveries.append(FakeStore.Delivery(event: event, watches: watching)) }
    }

    /// Returns true if the caller has to deliver the events.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering, !deliveries.isEmpty else { return false }
        isDelivering = true
        return true
    }

    /// Removes the next event, with the functions that receive it; nil ends the delivery.
    mutating func nextDelivery() -> (WatchEvent, [@Sendable (WatchEvent) -> Void])? {
        guard !deliveries.isEmpty else {
            isDelivering = false
            return nil
        }
        let next = deliveries.removeFirst()
        return (next.event, next.watches.compactMap { watches[$0]?.receive })
    }
}

extension LoggedRecord {
    /// Replaces the record, and changes the log, which has the entries to drop.
    fileprivate mutating func apply(_ commit: Commit) {
        guard let log = commit.log else {
            self = LoggedRecord(commit.record)
            return
        }
        record = commit.record
        if log.dropping > 0 || start == nil { start = log.start }
        entries.removeFirst(log.dropping)
        entries += log.entries
    }
}

extension WallTime {
    /// The moment after some time.
    func adding(_ time: Duration) -> WallTime {
        let (seconds, attoseconds) = time.components
        // As the real store, no longer than ten years.
        let milliseconds = Int(min(seconds, 10 * 365 * 86_400)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
        return WallTime(milliseconds: self.milliseconds + max(1, milliseconds))
    }
}
