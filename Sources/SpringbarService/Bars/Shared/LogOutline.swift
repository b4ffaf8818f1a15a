import BarLayout
import SharedState

/// The segments of a log in a shared store, without their entries.
///
/// A bar has the outline of its log beside its record. So a writer can drop entries of the store without reading them.
/// The rules are those of `BarLog`.
///
/// The log of a shared store is a list of elements. A segment is a checkpoint, and then an element for each write, which
/// has the bytes of its entries.
struct LogOutline: Sendable, Equatable {
    private(set) var segments: [Segment] = []

    struct Segment: Sendable, Equatable {
        /// The number of elements, the checkpoint included.
        var elements = 0
        var events = 0
        /// The weight of the entries, as in `BarLog`.
        var weight = 0
    }

    /// The elements of the store to drop, and those to append.
    struct Change: Sendable {
        var dropping = 0
        var appending: [[UInt8]] = []
    }

    /// The number of elements.
    var elements: Int { segments.reduce(0) { $0 + $1.elements } }

    /// Adds the entries of a write to the bar with the record `present`, and drops segments that are not promised.
    ///
    /// `promised` is the number of events to keep.
    mutating func append(_ addition: BarLog.Addition, after present: BarRecord, promised: Int) -> Change {
        var change = Change()
        if BarLog.opensSegment(for: addition, after: segments.last?.weight) { open(at: present, &change) }
        append(addition.entries, &change)
        for segment in addition.segments {
            open(at: segment.start, &change)
            append(segment.entries, &change)
        }
        change.dropping = trim(promised: promised)
        // A store drops elements before it appends others.
        let stored = elements + change.dropping - change.appending.count
        if change.dropping > stored {
            change.appending.removeFirst(change.dropping - stored)
            change.dropping = stored
        }
        return change
    }

    private mutating func open(at checkpoint: BarRecord, _ change: inout Change) {
        segments.append(Segment(elements: 1))
        change.appending.append(LogElement.checkpoint(checkpoint))
    }

    /// Adds entries to the last segment.
    private mutating func append(_ entries: BarLog.Addition.Entries, _ change: inout Change) {
        let last = segments.count - 1
        segments[last].elements += 1
        segments[last].events += entries.eventCount
        segments[last].weight += entries.weight
        change.appending.append(entries.bytes)
    }

    /// Drops the oldest segments that are not promised; returns the number of their elements.
    private mutating func trim(promised: Int) -> Int {
        var dropped = 0
        var events = segments.reduce(0) { $0 + $1.events }
        var weight = segments.reduce(0) { $0 + $1.weight }
        while segments.count > 1, let first = segments.first,
            events - first.events >= promised || weight > BarLog.byteLimit
        {
            dropped += first.elements
            events -= first.events
            weight -= first.weight
            segments.removeFirst()
        }
        return dropped
    }
}

extension ByteWriter {
    mutating func put(_ outline: LogOutline) {
        put(number: outline.segments.count)
        for segment in outline.segments {
            put(number: segment.elements)
            put(number: segment.events)
            put(number: segment.weight)
        }
    }
}

extension ByteReader {
    mutating func outline() throws(StoredBytesError) -> LogOutline {
        var segments: [LogOutline.Segment] = []
        for _ in 0..<(try number()) {
            let (elements, events, weight) = (try number(), try number(), try number())
            // No sum of them overflows.
            guard max(elements, events, weight) <= 1 << 32 else { throw .numberTooLarge }
            segments.append(LogOutline.Segment(elements: elements, events: events, weight: weight))
        }
        return LogOutline(segments: segments)
    }
}

/// An element of the log in a shared store: a checkpoint, or the bytes of entries.
enum LogElement {
    /// The first byte of a checkpoint; no entry begins with it.
    private static let checkpointMark: UInt8 = 0xFF

    /// Returns the element of a checkpoint: the state before the entries that follow.
    static func checkpoint(_ record: BarRecord) -> [UInt8] {
        var writer = ByteWriter(capacity: 240)
        writer.put(checkpointMark)
        writer.put(SharedBar.format)
        writer.put(number: record.revision)
        writer.put(number: record.lastSequence)
        writer.put(record.session)
        return writer.bytes
    }

    /// Returns the record of a checkpoint; nil for another element.
    static func checkpoint(in element: [UInt8]) throws(StoredBytesError) -> BarRecord? {
        guard element.first == checkpointMark else { return nil }
        var reader = ByteReader(element, from: 1)
        try reader.requireFormat()
        let (revision, lastSequence) = (try reader.number(), try reader.number())
        return BarRecord(checkpoint: try reader.session(), revision: revision, lastSequence: lastSequence)
    }
}

extension BarLog {
    /// Reads the log of a bar from the elements of a shared store.
    init(elements: [[UInt8]], outline: LogOutline) throws(StoredBytesError) {
        guard elements.count == outline.elements else { throw .inconsistentLog }
        var segments: [Segment] = []
        var rest = elements[...]
        for segment in outline.segments {
            guard let first = rest.popFirst(), let start = try LogElement.checkpoint(in: first),
                let events = Int32(exactly: segment.events), rest.count >= segment.elements - 1
            else { throw .inconsistentLog }
            let entries = Array(rest.prefix(segment.elements - 1).joined())
            rest = rest.dropFirst(segment.elements - 1)
            segments.append(Segment(start: start, entries: entries, events: events))
        }
        self.init(segments: segments)
    }
}
