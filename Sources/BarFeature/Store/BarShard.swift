import Primitives

/// A part of the bars; the store protects each shard by a lock.
///
/// A bar that has expired is `notFound`, whether it was removed or not.
struct BarShard: ~Copyable {
    private var bars: [BarID: StoredBar] = [:]
    private let quota: BarQuota
    /// The number of bars that were made again under their ids.
    private var repeatedCreations: UInt64 = 0

    init(quota: BarQuota) {
        self.quota = quota
    }

    private func bar(_ id: BarID, at now: WallTime) throws(BarSessionError) -> StoredBar {
        guard let bar = bars[id], !bar.hasExpired(at: now) else { throw .notFound }
        return bar
    }

    /// Returns a bar; throws `notFound`.
    func record(_ id: BarID, now: WallTime) throws(BarSessionError) -> BarRecord { try bar(id, at: now).record }

    /// Returns a bar and its log; throws `notFound`.
    func recordWithLog(_ id: BarID, now: WallTime) throws -> LoggedBar {
        let bar = try bar(id, at: now)
        return LoggedBar(record: bar.record, log: try bar.readLog())
    }

    /// Inserts a bar, and makes it again if `isRepeated`; throws `full` or `clientShare`.
    mutating func insert(
        _ record: BarRecord,
        as id: BarID,
        client: ClientKey?,
        isRepeated: Bool
    ) throws(BarSessionError) -> CreatedBar {
        var record = record
        if isRepeated {
            repeatedCreations += 1
            record.creation = repeatedCreations
        }
        let bar = StoredBar(record, client: client)
        try quota.addBar(bar.bytes, of: client)
        // A key can make a bar again before the expired one is removed.
        let expired = bars[id]
        if let expired { discard(expired, id) }
        bars[id] = bar
        return CreatedBar(id: id, creation: record.creation, replacesExpired: expired != nil)
    }

    /// Stores the next record of a bar, and appends entries to its log; returns false if the version is not `base`.
    ///
    /// - Throws: `notFound`, `full` or `clientShare`; the bar is as it was then.
    func write(
        _ record: BarRecord,
        _ addition: borrowing LogAddition,
        to id: BarID,
        base: BarTag,
        now: WallTime
    ) throws -> Bool {
        let bar = try bar(id, at: now)
        guard bar.record.tag == base else { return false }
        try bar.write(record, addition) { (bytes) throws(BarSessionError) in
            try quota.reserve(bytes, for: bar.client)
        }
        return true
    }

    /// Removes a bar; returns false if the version is not `base`; throws `notFound`.
    mutating func remove(_ id: BarID, base: BarTag, now: WallTime) throws(BarSessionError) -> Bool {
        let bar = try bar(id, at: now)
        guard bar.record.tag == base else { return false }
        discard(bar, id)
        return true
    }

    mutating func expire(now: WallTime) -> [BarID] {
        let expired = bars.filter { $0.value.hasExpired(at: now) }
        for (id, bar) in expired { discard(bar, id) }
        return Array(expired.keys)
    }

    /// Ends the bars with the earliest last write, if that was before `limit`: a sixteenth of the shard's bytes, and one at least.
    mutating func endIdle(before limit: WallTime) -> [BarID] {
        var rest = bars.values.reduce(0) { $0 + $1.bytes } / 16
        let idle = bars.filter { $0.value.lastWrite.milliseconds < limit.milliseconds }
        var ended: [BarID] = []
        for (id, bar) in idle.sorted(by: { $0.value.lastWrite.milliseconds < $1.value.lastWrite.milliseconds }) {
            rest -= bar.bytes
            discard(bar, id)
            ended.append(id)
            if rest <= 0 { break }
        }
        return ended
    }

    private mutating func discard(_ bar: StoredBar, _ id: BarID) {
        quota.removeBar(bar.bytes, of: bar.client)
        bars[id] = nil
    }
}
