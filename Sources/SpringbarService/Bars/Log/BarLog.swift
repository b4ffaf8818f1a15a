import BarLayout
import Primitives

/// The last events of a bar, from which their answers can be computed again.
///
/// Answers are not stored. The rules are a pure function, so an answer is the replay of its event from an earlier state.
/// Such a state, a checkpoint, is stored before every 64 events. A segment is a checkpoint and the entries after it.
/// The oldest segment is dropped once the later segments have all promised events.
///
/// The checkpoint of a segment is the record that was the bar's own until then: the same object, which shares its tracks
/// with the bar until they change.
package struct BarLog: Sendable, Equatable {
    /// The number of events that can be replayed; older ones are reported as gone, even if a segment still has them.
    package static let promisedEvents = 512
    /// The number of events from one checkpoint to the next.
    package static let segmentEvents = 64
    /// The weight from which the oldest segment is dropped in any case: changes of tracks are not counted as events.
    ///
    /// It also limits the answer to `GET /v1/bars/{id}/events`: see `BarAnswerSizeTests`.
    package static let byteLimit = 1 << 20

    /// The weight of an entry beside its bytes, which limits the number of small ones: as JSON, or decoded, an entry is
    /// much larger than its bytes.
    static let entryOverhead = 64

    /// The weight from which a segment takes no more entries, so that not too many are dropped with it.
    private static let segmentBytes = 1 << 16

    private(set) var segments: [Segment] = []
    /// The weight of all entries: their bytes, and an overhead for each.
    private(set) var byteCount = 0
    /// The bytes on the heap that the log takes, its checkpoints included.
    private(set) var heapBytes = 0

    /// An empty log.
    init() {}

    /// A log to read, with segments of a shared store; nothing is appended to it or counted.
    init(segments: [Segment]) {
        self.segments = segments
    }

    /// The number of the last event; nil for an empty log.
    var lastSequence: Int? { segments.last?.lastSequence }

    /// The number of the first event that can be replayed; nil if there is none.
    var firstSequence: Int? {
        guard let first = segments.first, let last = segments.last, first.start.lastSequence < last.lastSequence else {
            return nil
        }
        return max(first.start.lastSequence + 1, last.lastSequence - BarLog.promisedEvents + 1)
    }

    /// Appends entries to the last segment and to new ones; returns the number of new segments.
    ///
    /// `present` is the record before the first entry. It is held if a segment begins with that entry.
    mutating func append(_ addition: Addition, after present: BarRecord) -> Int {
        let before = segments.count
        if opensSegment(for: addition) { open(at: present) }
        append(addition.entries)
        for segment in addition.segments {
            open(at: segment.start)
            append(segment.entries)
        }
        return segments.count - before
    }

    /// Appends entries to the last segment.
    private mutating func append(_ entries: Addition.Entries) {
        let last = segments.count - 1
        heapBytes -= segments[last].heapBytes
        segments[last].append(entries)
        heapBytes += segments[last].heapBytes
        byteCount += entries.weight
    }

    /// Whether a segment begins with the first entry of an addition.
    private func opensSegment(for addition: Addition) -> Bool {
        BarLog.opensSegment(for: addition, after: segments.last?.weight)
    }

    /// Returns whether a segment begins with the first entry of an addition; `weight` is that of the log's last segment.
    static func opensSegment(for addition: Addition, after weight: Int?) -> Bool {
        guard let weight else { return true }
        return weight >= BarLog.segmentBytes
            || addition.sequence.isMultiple(of: BarLog.segmentEvents) && addition.eventCount > 0
    }

    private mutating func open(at start: BarRecord) {
        heapBytes -= listBytes
        segments.append(Segment(start: start))
        heapBytes += listBytes + start.hold()
    }

    /// The bytes of the list of segments.
    private var listBytes: Int { HeapBlock.array(of: Segment.self, capacity: segments.capacity) }

    /// Returns an upper bound of the heap bytes that an addition adds; 0 if its entries fit into the last segment.
    func growthBound(appending addition: Addition) -> Int {
        if addition.segments.isEmpty, !opensSegment(for: addition), let last = segments.last {
            return last.growthBound(adding: addition.byteCount)
        }
        let opened = addition.segments.count + 1
        let list = HeapBlock.array(of: Segment.self, capacity: 2 * (segments.count + opened) + 2)
        let checkpoints = addition.segments.reduce(opened * BarRecord.byteCount) { $0 + $1.start.session.unheldBytes }
        // The bytes of each segment get half as much again, and a header that is rounded up.
        return list + checkpoints + 2 * addition.byteCount + opened * (128 + LogBudget.bytesPerSegment)
    }

    /// Stores the slot of each of the newest segments in the list of ages.
    mutating func setAges(ofNewest count: Int, _ age: () -> SlotLists.Slot) {
        for index in segments.indices.suffix(count) { segments[index].age = age() }
    }

    /// Drops the oldest segments that are not promised; returns their slots in the list of ages.
    mutating func trim() -> [SlotLists.Slot] {
        var dropped: [SlotLists.Slot] = []
        while let last = lastSequence, segments.count > 1,
            last - segments[0].lastSequence >= BarLog.promisedEvents || byteCount > BarLog.byteLimit
        {
            dropped.append(dropFirstSegment())
        }
        return dropped
    }

    /// Drops the oldest segment; returns its slot in the list of ages.
    ///
    /// - Precondition: the log is not empty.
    mutating func dropFirstSegment() -> SlotLists.Slot {
        let segment = segments.removeFirst()
        byteCount -= segment.weight
        heapBytes -= segment.heapBytes + segment.start.release()
        if segments.isEmpty {
            heapBytes -= listBytes
            segments = []
        }
        return segment.age
    }

    /// The consecutive entries that one write appends.
    package struct Addition: Sendable, Equatable {
        /// The number of the last event before the entries.
        let sequence: Int
        /// The number of events among the entries.
        private(set) var eventCount = 0
        /// The entries of the log's last segment, or of a new one.
        private(set) var entries = Entries()
        /// The further segments; an addition of few events has none.
        private(set) var segments: [Segment] = []

        init(after sequence: Int) {
            self.sequence = sequence
        }

        var isEmpty: Bool { entries.count == 0 }

        fileprivate var byteCount: Int { segments.reduce(entries.bytes.count) { $0 + $1.entries.bytes.count } }

        /// Whether a segment has to begin with the next event.
        var needsCheckpoint: Bool { eventCount > 0 && (sequence + eventCount).isMultiple(of: BarLog.segmentEvents) }

        /// Appends an entry; a segment begins with it at `checkpoint`, the record before it, if there is one.
        mutating func append(_ entry: BarLogEntry, checkpoint: BarRecord? = nil) {
            if let checkpoint { segments.append(Segment(start: checkpoint)) }
            if let last = segments.indices.last {
                segments[last].entries.append(entry)
            } else {
                entries.append(entry)
            }
            if case .event = entry { eventCount += 1 }
        }

        /// A segment that begins with an entry of the addition.
        struct Segment: Sendable, Equatable {
            /// The checkpoint.
            let start: BarRecord
            fileprivate(set) var entries = Entries()
        }

        /// The entries of an addition that belong to one segment.
        struct Entries: Sendable, Equatable {
            /// Most requests have one scroll event of 17 bytes.
            private var writer = ByteWriter(capacity: 24)
            private(set) var count = 0
            private(set) var eventCount = 0

            var bytes: [UInt8] { writer.bytes }

            /// The weight of the entries.
            var weight: Int { bytes.count + count * BarLog.entryOverhead }

            fileprivate mutating func append(_ entry: BarLogEntry) {
                entry.write(to: &writer)
                count += 1
                if case .event = entry { eventCount += 1 }
            }
        }
    }

    /// A checkpoint and the entries after it.
    struct Segment: Sendable, Equatable {
        /// The state before the entries.
        let start: BarRecord
        /// The entries.
        private(set) var bytes: [UInt8] = []
        /// The slot of the segment in the list of ages.
        fileprivate(set) var age: SlotLists.Slot = 0
        /// The weight of the entries.
        private(set) var weight = 0
        private var events: Int32 = 0

        init(start: BarRecord) {
            self.start = start
        }

        /// A segment with the entries of a shared store.
        init(start: BarRecord, entries: [UInt8], events: Int32) {
            self.start = start
            bytes = entries
            self.events = events
        }

        /// The bytes on the heap that the entries take, unused capacity included.
        var heapBytes: Int { HeapBlock.array(of: UInt8.self, capacity: bytes.capacity) }

        /// The number of the last event in the segment, or before it if it has none.
        var lastSequence: Int { start.lastSequence + Int(events) }

        /// Appends entries.
        ///
        /// A segment that is filled gradually grows by half. Doubling would leave a third of all logs empty.
        fileprivate mutating func append(_ entries: Addition.Entries) {
            if let capacity = capacity(adding: entries.bytes.count) { bytes.reserveCapacity(capacity) }
            bytes += entries.bytes
            events += Int32(entries.eventCount)
            weight += entries.weight
        }

        /// Returns an upper bound of the heap bytes that `count` bytes of entries add.
        fileprivate func growthBound(adding count: Int) -> Int {
            guard let capacity = capacity(adding: count) else { return 0 }
            // An array also uses the bytes to which the allocator rounds up.
            return HeapBlock.array(of: UInt8.self, capacity: capacity + 32) - heapBytes
        }

        /// Returns the capacity to reserve for more bytes; nil if there is enough.
        private func capacity(adding count: Int) -> Int? {
            let needed = bytes.count + count
            return needed > bytes.capacity ? max(needed, bytes.capacity * 3 / 2) : nil
        }
    }
}
