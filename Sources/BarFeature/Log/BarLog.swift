package import BarLayout
import Primitives
package import StoredBytes

/// The last events of a bar, from which their answers can be computed again.
///
/// Answers are not stored: an answer is the replay of its event from an earlier state. A log has one such state, its
/// start: the bar before the first entry. A log that is full applies its oldest entries to the start and drops them.
///
/// A class, because most operations need no log: nil is one word instead of a record of some hundred bytes.
package final class BarLog: Sendable {
    /// The number of events that can be replayed; older ones are reported as gone, even if the log still has them.
    package static let promisedEvents = 512
    /// The number of further events at which a log is full; as many are dropped at once.
    package static let spareEvents = 64
    /// The cost from which a log is full in any case, which also limits the answer with its events.
    package static let costLimit = 1 << 20
    /// The largest cost of a log in a shared store; version 1.1.0 left larger ones, which no replica could read.
    package static let largestCost = costLimit + costLimit / 2
    /// The cost that is dropped at once.
    private static let spareCost = 1 << 16
    /// The bytes of the largest log, which a request reserves before it fetches one from a shared store.
    package static let fetchedBytes = costLimit + spareCost

    /// The record before the first entry; nil for an empty log.
    let start: BarRecord?
    let entries: [UInt8]
    let lastSequence: Int

    /// Reads a log; `start` is empty for an empty one.
    package init(start: [UInt8], entries: [UInt8], lastSequence: Int) throws(StoredBytesError) {
        self.start =
            try start.isEmpty
            ? nil
            : ByteReader.read(start) { (reader: consuming ByteReader) throws(StoredBytesError) in try reader.start() }
        self.entries = entries
        self.lastSequence = lastSequence
    }

    /// The number of the first event that can be replayed; nil if there is none.
    var firstSequence: Int? {
        guard let start, start.lastSequence < lastSequence else { return nil }
        return max(start.lastSequence, lastSequence - BarLog.promisedEvents) + 1
    }

    package static func isFull(_ extent: LogExtent) -> Bool {
        extent.events >= promisedEvents + spareEvents || extent.cost > costLimit
    }

    /// A log without its oldest entries.
    package struct Trimmed: Sendable {
        package let start: BarRecord
        package let droppedBytes: Int
        package let extent: LogExtent
    }

    /// Applies the oldest entries to the start, until the rest is small enough; returns nil for an empty log.
    ///
    /// `extent` is that of the log and of the entries that will be appended. Entries can be dropped only up to one of the
    /// positions `ends`; nil allows any.
    package func trimmed(_ extent: LogExtent, ends: [Int]? = nil) throws(StoredBytesError) -> Trimmed? {
        try read { (reader: consuming BarLogReader, start) throws(StoredBytesError) in
            var (start, rest) = (start, extent)
            var end = Trimmed(start: start, droppedBytes: 0, extent: extent)
            while rest.events > BarLog.promisedEvents || rest.cost > BarLog.costLimit - BarLog.spareCost,
                let entry = try reader.next()
            {
                _ = try start.apply(entry)
                rest.events -= entry.extent.events
                rest.cost -= entry.extent.cost
                guard rest.events >= 0, rest.cost >= 0 else { throw .inconsistentLog }
                guard let ends, ends.contains(reader.position) else { continue }
                end = Trimmed(start: start, droppedBytes: reader.position, extent: rest)
            }
            return ends == nil ? Trimmed(start: start, droppedBytes: reader.position, extent: rest) : end
        }
    }

    /// Passes a reader of the entries, and the record before them, to `body`; returns nil for an empty log.
    func read<Result>(
        _ body: (consuming BarLogReader, BarRecord) throws(StoredBytesError) -> Result
    ) throws(StoredBytesError) -> Result? {
        guard let start else { return nil }
        return try ByteReader.read(entries) { (reader: consuming ByteReader) throws(StoredBytesError) in
            try body(BarLogReader(reader, after: start), start)
        }
    }
}

extension BarRecord {
    /// Applies an entry of the log of the bar; returns the outcome of an event.
    fileprivate mutating func apply(
        _ entry: NumberedEntry,
        explaining: Bool = false
    ) throws(StoredBytesError) -> BarOutcome? {
        revision = entry.revision
        lastSequence = entry.sequence
        do throws(BarLayoutError) {
            switch entry.content {
            case .event(let event): return try session.apply(event, explaining: explaining)
            case .tracks(let changes): try session.tracks.apply(changes)
            }
            return nil
        } catch {
            // What was refused is not in the log.
            throw .invalid(error)
        }
    }
}

/// The entries that one write appends to the log of its bar.
package struct LogAddition: ~Copyable, Sendable {
    private static let partEntries = 64

    private(set) var writer = ByteWriter(capacity: 24)
    package private(set) var extent = LogExtent()
    private var count = 0
    /// The ends of all parts but the last one.
    private var ends: [Int] = []

    var isEmpty: Bool { count == 0 }

    package var byteCount: Int { writer.count }

    /// The bytes of the entries in parts, the units in which a shared store drops them.
    package var parts: [[UInt8]] {
        var parts: [[UInt8]] = []
        for (start, end) in zip([0] + ends, ends + [byteCount]) { parts.append(writer.bytes(in: start..<end)) }
        return parts
    }

    mutating func append(_ entry: BarLogEntry) {
        let start = byteCount
        if count > 0, count.isMultiple(of: LogAddition.partEntries) { ends.append(start) }
        entry.write(to: &writer)
        count += 1
        extent = extent + entry.extent(byteCount: byteCount - start)
    }
}

/// Decodes the entries of a log, one by one.
struct BarLogReader: ~Copyable {
    private var reader: ByteReader
    /// The numbers after the last entry that was read.
    private var sequence: Int
    private var revision: Int

    init(_ reader: consuming ByteReader, after start: BarRecord) {
        self.reader = reader
        sequence = start.lastSequence
        revision = start.revision
    }

    var position: Int { reader.position }

    mutating func next() throws(StoredBytesError) -> NumberedEntry? {
        guard !reader.isAtEnd else { return nil }
        let start = reader.position
        let content = try BarLogEntry(from: &reader)
        let extent = content.extent(byteCount: reader.position - start)
        sequence += extent.events
        revision += 1
        return NumberedEntry(content: content, sequence: sequence, revision: revision, extent: extent)
    }
}

/// An entry of a log with its numbers.
struct NumberedEntry: Sendable, Equatable {
    let content: BarLogEntry
    /// The number of the event, or of the last one before a change of the tracks.
    let sequence: Int
    let revision: Int
    let extent: LogExtent
}

extension BarLog {
    /// Replays the events from the number `first` to the number `last`; returns nil if the log does not have all of them.
    func replay(
        from first: Int,
        to last: Int,
        explaining: Bool = false
    ) throws(StoredBytesError) -> [EventResult]? {
        guard let least = firstSequence, least <= first, first <= last, last <= lastSequence else { return nil }
        return try read { (reader: consuming BarLogReader, start) throws(StoredBytesError) in
            var record = start
            var events: [EventResult] = []
            while let entry = try reader.next() {
                let isWanted = first <= entry.sequence
                let outcome = try record.apply(entry, explaining: explaining && isWanted)
                guard isWanted, let outcome, case .event(let event) = entry.content else { continue }
                events.append(EventResult(event: event, record: record, outcome: outcome, isReplayed: true))
                if entry.sequence == last { return events }
            }
            throw .inconsistentLog
        }
    }

    /// The bar at its creation; nil if the log begins later.
    var creation: BarRecord? {
        guard let start, start.revision == 0, firstSequence ?? 1 == 1 else { return nil }
        return start
    }

    /// Returns the entries after an event, with up to `limit` events, and whether more follow.
    ///
    /// Changes of the tracks precede the event that follows them. Those after the last event are returned to every request
    /// after that event, because they have no number. Their revision tells a client whether it has them.
    func page(after sequence: Int, limit: Int) throws(StoredBytesError) -> (entries: [NumberedEntry], hasMore: Bool) {
        let page = try read { (reader: consuming BarLogReader, start) throws(StoredBytesError) in
            let begin = max(sequence, firstSequence.map { $0 - 1 } ?? start.lastSequence)
            var (page, trailing, events) = ([] as [NumberedEntry], [] as [NumberedEntry], 0)
            while let entry = try reader.next() {
                guard entry.sequence >= begin else { continue }
                switch entry.content {
                case .tracks: trailing.append(entry)
                case .event:
                    if entry.sequence == begin { continue }
                    if events == limit { return (page, true) }
                    events += 1
                    page += trailing
                    trailing = []
                    page.append(entry)
                }
            }
            return (page + trailing, false)
        }
        return page ?? ([], false)
    }
}

/// An entry of a log; events are numbered by their positions, and changes of the tracks have no number.
package enum BarLogEntry: Sendable, Equatable {
    case event(BarEvent)
    case tracks([TrackChange])

    /// The cost of an entry beside its bytes: as JSON, or decoded, it is much larger than they are.
    private static let overhead = 64

    /// Returns the extent of the entry; as JSON, changes of tracks have up to eleven times their bytes, so they cost twice.
    func extent(byteCount: Int) -> LogExtent {
        switch self {
        case .event: LogExtent(events: 1, cost: BarLogEntry.overhead + byteCount)
        case .tracks: LogExtent(events: 0, cost: BarLogEntry.overhead + 2 * byteCount)
        }
    }
}

// The first byte of an entry has its kind in the lower half, and flags for its optional parts in the upper half.
extension BarLogEntry {
    private enum Kind: UInt8 {
        case contentOffset, contentSize, frame, contentInset, panGesture, expand, set, preconfigure, tracks
    }

    private static let animation: UInt8 = 0x10
    private static let hasScrollableID: UInt8 = 0x20
    private static let hasTimestamp: UInt8 = 0x40
    /// The velocity of a pan, or the `true` of an expand.
    private static let hasMore: UInt8 = 0x80

    func write(to bytes: inout ByteWriter) {
        let event: BarEvent
        switch self {
        case .event(let inner): event = inner
        case .tracks(let changes):
            bytes.put(Kind.tracks.rawValue)
            bytes.put(number: changes.count)
            for change in changes { bytes.put(change) }
            return
        }
        var head: UInt8 = 0
        if case .animation = event.source { head = BarLogEntry.animation }
        if event.scrollableID != nil { head |= BarLogEntry.hasScrollableID }
        if event.timestamp != nil { head |= BarLogEntry.hasTimestamp }
        switch event.action {
        case .contentOffset(let point):
            bytes.put(head | Kind.contentOffset.rawValue)
            bytes.put(point)
        case .contentSize(let size):
            bytes.put(head | Kind.contentSize.rawValue)
            bytes.put(size)
        case .frame(let frame):
            bytes.put(head | Kind.frame.rawValue)
            bytes.put(frame)
        case .contentInset(let inset):
            bytes.put(head | Kind.contentInset.rawValue)
            bytes.put(inset)
        case .panGesture(let state, let velocity):
            bytes.put(head | (velocity == nil ? 0 : BarLogEntry.hasMore) | Kind.panGesture.rawValue)
            // `!`: a case is an element of the list of all cases.
            bytes.put(UInt8(BarEvent.PanGestureState.allCases.firstIndex(of: state)!))
            if let velocity { bytes.put(velocity) }
        case .expand(let on):
            bytes.put(head | (on ? BarLogEntry.hasMore : 0) | Kind.expand.rawValue)
        case .set(let scrollable):
            bytes.put(head | Kind.set.rawValue)
            bytes.put(scrollable)
        case .preconfigure(let scrollable):
            bytes.put(head | Kind.preconfigure.rawValue)
            bytes.put(scrollable)
        }
        if let id = event.scrollableID { bytes.put(id) }
        if let timestamp = event.timestamp { bytes.put(timestamp) }
    }

    init(from bytes: inout ByteReader) throws(StoredBytesError) {
        let head = try bytes.byte()
        guard let kind = Kind(rawValue: head & 0x0F) else { throw .unknownKind(head) }
        let hasMore = head & BarLogEntry.hasMore != 0
        let action: BarEvent.Action
        switch kind {
        case .contentOffset: action = .contentOffset(try bytes.point())
        case .contentSize: action = .contentSize(try bytes.size())
        case .frame: action = .frame(try bytes.rect())
        case .contentInset: action = .contentInset(try bytes.insets())
        case .panGesture:
            let (states, index) = (BarEvent.PanGestureState.allCases, Int(try bytes.byte()))
            guard states.indices ~= index else { throw .unknownKind(UInt8(index)) }
            action = .panGesture(states[index], velocity: hasMore ? try bytes.point() : nil)
        case .expand: action = .expand(hasMore)
        case .set: action = .set(try bytes.scrollable())
        case .preconfigure: action = .preconfigure(try bytes.scrollable())
        case .tracks:
            self = .tracks(try bytes.list { (bytes) throws(StoredBytesError) in try bytes.trackChange() })
            return
        }
        let source = head & BarLogEntry.animation == 0 ? BarEvent.Source.user : .animation
        let id = head & BarLogEntry.hasScrollableID == 0 ? nil : try bytes.text()
        let timestamp = head & BarLogEntry.hasTimestamp == 0 ? nil : try bytes.length()
        self = .event(BarEvent(action, source: source, scrollableID: id, timestamp: timestamp))
    }
}
