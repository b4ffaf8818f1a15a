import BarLayout

/// The last events of a bar, and what answers them again.
///
/// Answers are not kept: the rules are a pure function, so an answer is the replay of its event, and only states from
/// which to replay are kept, one before every 64 events. A segment is such a state and what came after it. The oldest
/// segment goes when those behind it hold all the events that are promised.
package struct BarLog: Sendable, Equatable {
    /// So many events are promised; older ones are gone for whoever asks, also when they are still in a segment.
    package static let promisedEvents = 512
    /// Before every so many events a state is kept.
    package static let segmentEvents = 64
    /// Beyond these bytes the oldest segment goes in any case: changes of tracks are not numbered, but they take room.
    package static let byteLimit = 1 << 20

    /// From here on a segment takes nothing more, so that it can go without taking too much with it.
    private static let segmentBytes = 1 << 16

    private(set) var segments: [Segment] = []
    /// The bytes of all entries.
    private(set) var byteCount = 0

    /// The number of the last event that was appended; nil for an empty log.
    var lastSequence: Int? { segments.last?.lastSequence }

    /// The number of the first event that is promised and kept; nil when there is none.
    var firstSequence: Int? {
        guard let first = segments.first, let last = segments.last, first.start.sequence < last.lastSequence else {
            return nil
        }
        return max(first.start.sequence + 1, last.lastSequence - BarLog.promisedEvents + 1)
    }

    /// Appends entries, to the last segment and to new ones; returns how many are new.
    ///
    /// `present` is where the log ends: the state before the first entry.
    mutating func append(_ addition: Addition, after present: @autoclosure () -> Checkpoint) -> Int {
        var opened = 0
        for (index, entry) in addition.entries.enumerated() {
            if index == 0 {
                let isFull = segments.last.map { $0.bytes.count >= BarLog.segmentBytes } ?? true
                if isFull || addition.beginsSegment { open(at: present(), &opened) }
            } else if let start = addition.start(of: index) {
                open(at: start, &opened)
            }
            byteCount += segments[segments.count - 1].append(entry)
        }
        return opened
    }

    private mutating func open(at start: Checkpoint, _ opened: inout Int) {
        segments.append(Segment(start: start))
        opened += 1
    }

    /// Drops the oldest segments that nobody is promised; returns how many.
    mutating func trim() -> Int {
        var dropped = 0
        while let last = lastSequence, segments.count > 1,
            last - segments[0].lastSequence >= BarLog.promisedEvents || byteCount > BarLog.byteLimit
        {
            dropFirstSegment()
            dropped += 1
        }
        return dropped
    }

    /// Drops the oldest segment; the log must have one.
    mutating func dropFirstSegment() {
        byteCount -= segments.removeFirst().bytes.count
    }

    /// A state, and the place in the log where it holds.
    package struct Checkpoint: Sendable, Equatable {
        let session: BarSession
        let revision: Int
        let sequence: Int
    }

    /// What a write adds: entries that come one behind the other.
    package struct Addition: Sendable, Equatable {
        /// The number of the last event before them.
        let sequence: Int
        var entries: [BarLogEntry] = []
        /// The states behind the first entry at which a segment has to begin; the one before it is what is stored.
        var starts: [Checkpoint] = []

        /// Whether a segment has to begin with the first entry.
        fileprivate var beginsSegment: Bool {
            guard sequence.isMultiple(of: BarLog.segmentEvents), case .event = entries.first else { return false }
            return true
        }

        /// The state at which a segment begins with this entry; entries behind the first are events, each numbered.
        fileprivate func start(of entry: Int) -> Checkpoint? {
            starts.first { $0.sequence == sequence + entry }
        }
    }

    /// A state and the entries after it, as bytes.
    struct Segment: Sendable, Equatable {
        let start: Checkpoint
        private var writer = ByteWriter()
        private var events = 0

        init(start: Checkpoint) {
            self.start = start
        }

        var bytes: [UInt8] { writer.bytes }

        /// The number of the last event in it, or before it.
        var lastSequence: Int { start.sequence + events }

        /// Appends an entry, and says how many bytes it takes.
        mutating func append(_ entry: BarLogEntry) -> Int {
            let before = writer.bytes.count
            entry.write(to: &writer)
            if case .event = entry { events += 1 }
            return writer.bytes.count - before
        }
    }
}
