import BarLayout
import Primitives

/// The last events of a bar, and what answers them again.
///
/// Answers are not kept: the rules are a pure function, so an answer is the replay of its event, and only states from
/// which to replay are kept, one before every 64 events. A segment is such a state and what came after it. The oldest
/// segment is dropped when those behind it hold all the events that are promised.
///
/// The state at which a segment begins is the record that was the bar's until then: the same object, whose tracks are
/// those of the bar for as long as they do not change.
package struct BarLog: Sendable, Equatable {
    /// So many events are promised; older ones are answered as gone, also when they are still in a segment.
    package static let promisedEvents = 512
    /// Before every so many events a state is kept.
    package static let segmentEvents = 64
    /// Beyond this weight the oldest segment is dropped in any case: changes of tracks are not numbered, but take room.
    ///
    /// It also bounds the answer to `GET /v1/bars/{id}/events`: see `BarAnswerSizeTests`.
    package static let byteLimit = 1 << 20

    /// What an entry weighs beside its bytes, so that many small ones have a limit too: as JSON, and read back, an
    /// entry takes much more than its bytes.
    private static let entryOverhead = 64

    /// From this weight on a segment takes nothing more, so that not too much is dropped with it.
    private static let segmentBytes = 1 << 16

    private(set) var segments: [Segment] = []
    /// The weight of all entries: their bytes and an overhead for each.
    private(set) var byteCount = 0
    /// The bytes of the heap that the log takes, its states included.
    private(set) var heapBytes = 0

    /// The number of the last event that was appended; nil for an empty log.
    var lastSequence: Int? { segments.last?.lastSequence }

    /// The number of the first event that is promised and kept; nil when there is none.
    var firstSequence: Int? {
        guard let first = segments.first, let last = segments.last, first.start.lastSequence < last.lastSequence else {
            return nil
        }
        return max(first.start.lastSequence + 1, last.lastSequence - BarLog.promisedEvents + 1)
    }

    /// Appends entries, to the last segment and to new ones; returns how many are new.
    ///
    /// `present` is where the log ends: the state before the first entry. It is held if a segment begins there.
    mutating func append(_ addition: Addition, after present: BarRecord) -> Int {
        var opened = 0
        // The bytes of the entries for which there is room already.
        var reserved = 0
        for (index, entry) in addition.entries.enumerated() {
            if index == 0 {
                if opensSegment(for: addition) { open(at: present, &opened) }
            } else if let start = addition.start(of: index) {
                open(at: start, &opened)
                reserved = 0
            }
            let last = segments.count - 1
            // Asked before and after in any case: bytes that a reader refers to are copied, and may get other room.
            heapBytes -= segments[last].heapBytes
            if reserved == 0 {
                reserved = addition.byteCount(inSegmentFrom: index)
                segments[last].reserve(reserved)
            }
            let weight = segments[last].append(entry)
            heapBytes += segments[last].heapBytes
            byteCount += weight
            reserved -= weight - BarLog.entryOverhead
        }
        return opened
    }

    /// Whether the first entry of an addition begins a segment.
    private func opensSegment(for addition: Addition) -> Bool {
        guard let last = segments.last else { return true }
        return last.weight >= BarLog.segmentBytes || addition.beginsSegment
    }

    private mutating func open(at start: BarRecord, _ opened: inout Int) {
        heapBytes -= listBytes
        segments.append(Segment(start: start))
        heapBytes += listBytes + start.hold()
        opened += 1
    }

    /// The bytes of the list of segments.
    private var listBytes: Int { HeapBlock.array(of: Segment.self, capacity: segments.capacity) }

    /// An upper bound of the heap bytes that an addition adds; 0 if there is room for it.
    func growthBound(appending addition: Addition) -> Int {
        guard !addition.entries.isEmpty else { return 0 }
        let count = addition.byteCount
        if addition.starts.isEmpty, !opensSegment(for: addition), let last = segments.last {
            return last.growthBound(adding: count)
        }
        let opened = addition.starts.count + 1
        let list = HeapBlock.array(of: Segment.self, capacity: 2 * (segments.count + opened) + 2)
        let states = addition.starts.reduce(opened * BarRecord.byteCount) { $0 + $1.session.unheldBytes }
        // The bytes of each segment get half as much again, beside a header and what is rounded up.
        return list + states + 2 * count + opened * (128 + LogBudget.bytesPerSegment)
    }

    /// Notes under which number each of the newest segments stands in the list of ages.
    mutating func enter(newest count: Int, _ age: () -> SlotLists.Slot) {
        for index in segments.indices.suffix(count) { segments[index].age = age() }
    }

    /// Drops the oldest segments that are not promised; returns their numbers in the list of ages.
    mutating func trim() -> [SlotLists.Slot] {
        var dropped: [SlotLists.Slot] = []
        while let last = lastSequence, segments.count > 1,
            last - segments[0].lastSequence >= BarLog.promisedEvents || byteCount > BarLog.byteLimit
        {
            dropped.append(dropFirstSegment())
        }
        return dropped
    }

    /// Drops the oldest segment, of which there must be one; returns its number in the list of ages.
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

    /// What a write adds: entries that come one behind the other.
    package struct Addition: Sendable, Equatable {
        /// The number of the last event before them.
        let sequence: Int
        var entries: [BarLogEntry] = []
        /// The states behind the first entry at which a segment has to begin; the one before it is what is stored.
        var starts: [BarRecord] = []

        /// The bytes of its entries.
        fileprivate var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }

        /// The bytes of the entries from `index` to the end of their segment.
        fileprivate func byteCount(inSegmentFrom index: Int) -> Int {
            let end = starts.first { $0.lastSequence > sequence + index }.map { $0.lastSequence - sequence }
            return entries[index..<(end ?? entries.count)].reduce(0) { $0 + $1.byteCount }
        }

        /// Whether a segment has to begin with the first entry.
        fileprivate var beginsSegment: Bool {
            guard sequence.isMultiple(of: BarLog.segmentEvents), case .event = entries.first else { return false }
            return true
        }

        /// The state at which a segment begins with this entry; entries behind the first are events, each numbered.
        fileprivate func start(of entry: Int) -> BarRecord? {
            starts.first { $0.lastSequence == sequence + entry }
        }
    }

    /// A state and the entries after it, as bytes.
    struct Segment: Sendable, Equatable {
        let start: BarRecord
        private var writer = ByteWriter()
        private var events: Int32 = 0
        /// Its number in the list of ages.
        fileprivate(set) var age: SlotLists.Slot = 0
        /// The weight of its entries.
        private(set) var weight = 0

        init(start: BarRecord) {
            self.start = start
        }

        var bytes: [UInt8] { writer.bytes }

        /// The bytes of the heap that its entries take.
        var heapBytes: Int { writer.heapBytes }

        /// The number of the last event in it, or before it.
        var lastSequence: Int { start.lastSequence + Int(events) }

        /// Makes room for so many bytes of entries.
        fileprivate mutating func reserve(_ count: Int) { writer.reserve(count) }

        /// An upper bound of the heap bytes that entries of so many bytes add.
        fileprivate func growthBound(adding count: Int) -> Int { writer.growthBound(adding: count) }

        /// Appends an entry, and returns its weight.
        fileprivate mutating func append(_ entry: BarLogEntry) -> Int {
            let before = writer.bytes.count
            entry.write(to: &writer)
            if case .event = entry { events += 1 }
            let added = writer.bytes.count - before + BarLog.entryOverhead
            weight += added
            return added
        }
    }
}
