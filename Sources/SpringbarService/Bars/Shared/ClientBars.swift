import Primitives
import SharedState

/// The bars of a client, as a shared store has them.
///
/// The value has their number and the newest change; its log has the earlier changes. So a creation writes some 50 bytes,
/// however many bars the client has, and a client with one bar needs no log.
///
/// The end of a bar by its time to live is not a change, because no replica observes it. The number can therefore be too
/// high: then the bars that may have ended are read, and the changes are replaced by the present bars.
struct ClientBars: Equatable {
    /// A bar that was created, or one that was deleted.
    struct Change: Equatable {
        let id: BarID
        /// The earliest end of a created bar; nil for a deleted one.
        let end: WallTime?
    }

    /// A bar, with its earliest end.
    struct Bar: Equatable {
        let id: BarID
        let end: WallTime
    }

    /// The number of the value's writes.
    private(set) var revision: UInt64
    /// The number of bars, at least 1, and usually at least that of the present ones.
    ///
    /// It is lower if the store lost the value, and bars of the lost one are deleted later.
    private(set) var count: Int
    /// The entries in the log.
    private(set) var logged: Int
    /// The entries that a log of the present bars had when the changes were last replaced.
    private var needed: Int
    /// The earliest end of all bars, or a later time before which they are not read again.
    private var due: WallTime
    /// The end of the value: after that of its bars, until a bar extends it.
    private(set) var end: WallTime
    private(set) var newest: Change

    /// A client's first bar.
    init(first bar: Bar, end: WallTime) {
        self.init([], newest: bar, revision: 1, end: end)
    }

    private init(_ earlier: some Collection<Bar>, newest: Bar, revision: UInt64, end: WallTime) {
        self.revision = revision
        count = earlier.count + 1
        logged = earlier.count
        needed = earlier.count
        due = earlier.reduce(newest.end) { $1.end.milliseconds < $0.milliseconds ? $1.end : $0 }
        self.end = end
        self.newest = Change(id: newest.id, end: newest.end)
    }

    // MARK: Changes

    /// Adds a bar; returns the entry for the log.
    mutating func add(_ bar: Bar, end: WallTime) -> [UInt8] {
        count += 1
        if bar.end.milliseconds < due.milliseconds { due = bar.end }
        extend(to: end)
        return append(Change(id: bar.id, end: bar.end))
    }

    /// Removes a bar, which is not the last one; returns the entry for the log.
    mutating func remove(_ id: BarID) -> [UInt8] {
        count = max(1, count - 1)
        return append(Change(id: id, end: nil))
    }

    /// Sets a later end of the value, without an entry for the log.
    mutating func renew(until end: WallTime) {
        revision &+= 1
        extend(to: end)
    }

    private mutating func extend(to end: WallTime) {
        if end.milliseconds > self.end.milliseconds { self.end = end }
    }

    private mutating func append(_ change: Change) -> [UInt8] {
        revision &+= 1
        logged += 1
        defer { newest = change }
        return newest.bytes
    }

    // MARK: Review

    /// The most entries of a log that is never reviewed for its length.
    private static let shortLog = 64

    /// Whether the bars are to be reviewed before another one is added.
    ///
    /// At the limit they are reviewed if one may have ended, so a refusal usually reads the value only. A log is reviewed
    /// when it has doubled, so it has at most twice the present bars, and a creation reads two entries on average.
    func needsReview(limit: Int, now: WallTime) -> Bool {
        if count >= limit { return due.milliseconds <= now.milliseconds }
        return logged >= 2 * needed + ClientBars.shortLog
    }

    /// Returns the bars by all changes, in the order of their creation.
    func bars(_ log: [[UInt8]]) throws(StoredBytesError) -> [Bar] {
        var changes: [Change] = []
        changes.reserveCapacity(log.count + 1)
        for entry in log { changes.append(try Change(entry)) }
        changes.append(newest)
        var ends: [BarID: WallTime] = [:]
        for change in changes { ends[change.id] = change.end }
        // A bar that was counted twice is listed once.
        return changes.compactMap { change in
            ends.removeValue(forKey: change.id).map { Bar(id: change.id, end: $0) }
        }
    }

    /// Returns the next value with a change for each of these bars; nil without bars.
    ///
    /// At the limit the bars are not reviewed again before `earliest`. The bars of a busy client end at all times, so each of
    /// its requests would be a review otherwise.
    func replaced(
        by bars: [Bar],
        end: WallTime,
        notDueBefore earliest: WallTime? = nil
    ) -> (next: ClientBars, entries: [[UInt8]])? {
        guard let newest = bars.last else { return nil }
        let earlier = bars.dropLast()
        var next = ClientBars(earlier, newest: newest, revision: revision &+ 1, end: self.end)
        next.extend(to: end)
        if let earliest, next.due.milliseconds < earliest.milliseconds { next.due = earliest }
        return (next, earlier.map { Change(id: $0.id, end: $0.end).bytes })
    }
}

// MARK: Bytes

extension ClientBars {
    /// The version of the format.
    private static let format: UInt8 = 1

    /// Returns the value of the store; the random number recognises the writer.
    func value(nonce: UInt64) -> SharedValue {
        var writer = ByteWriter(capacity: 64)
        writer.put(ClientBars.format)
        for number in [count, logged, needed, due.milliseconds, end.milliseconds] { writer.put(number: number) }
        return SharedValue(SharedVersion(high: revision, low: nonce), writer.bytes + newest.bytes)
    }

    init(_ value: SharedValue) throws(StoredBytesError) {
        var reader = ByteReader(value.bytes, from: SharedVersion.byteCount)
        let format = try reader.byte()
        guard format == ClientBars.format else { throw .unknownFormat(format) }
        revision = value.version.high
        count = try reader.number()
        logged = try reader.number()
        needed = try reader.number()
        due = WallTime(milliseconds: try reader.number())
        end = WallTime(milliseconds: try reader.number())
        newest = try Change(&reader)
    }
}

extension ClientBars.Change {
    /// 22 bytes, or 17 for a deleted bar.
    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 24)
        writer.put(bits: id.high)
        writer.put(bits: id.low)
        writer.put(number: end?.milliseconds ?? 0)
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(StoredBytesError) {
        var reader = ByteReader(bytes)
        try self.init(&reader)
    }

    init(_ reader: inout ByteReader) throws(StoredBytesError) {
        id = BarID(high: try reader.bits(), low: try reader.bits())
        let end = try reader.number()
        self.end = end == 0 ? nil : WallTime(milliseconds: end)
    }
}
