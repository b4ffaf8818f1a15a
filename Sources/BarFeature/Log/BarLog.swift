import BarLayout
import Primitives

/// The last events of a bar, from which their answers can be computed again.
///
/// Answers are not stored. The rules are a pure function, so an answer is the replay of its event from an earlier state.
/// A log has one such state, its origin: the bar before the first entry. A log that is full applies its oldest entries
/// to the origin and drops them.
package struct BarLog: Sendable, Equatable {
    /// The number of events that can be replayed; older ones are reported as gone, even if the log still has them.
    package static let promisedEvents = 512
    /// The number of further events at which a log is full; as many are dropped at once.
    static let spareEvents = 64
    /// The weight from which a log is full in any case: changes of tracks are not counted as events.
    ///
    /// It also limits the answer to `GET /v1/bars/{id}/events`: see `BarAnswerSizeTests`.
    package static let weightLimit = 1 << 20
    /// The weight that is dropped at once.
    private static let spareWeight = 1 << 16
    /// The bytes that a request reserves before it fetches a log from a shared store: those of the largest log.
    static let fetchedBytes = weightLimit + spareWeight

    /// The record before the first entry; nil for an empty log.
    let origin: BarRecord?
    /// The bytes of the entries.
    let entries: [UInt8]
    /// The number of the last event of the bar.
    let lastSequence: Int

    /// Reads a log; `origin` is empty for an empty one.
    init(origin: [UInt8], entries: [UInt8], lastSequence: Int) throws(StoredBytesError) {
        var reader = ByteReader(origin)
        self.origin = origin.isEmpty ? nil : try reader.origin()
        self.entries = entries
        self.lastSequence = lastSequence
    }

    /// The number of the first event that can be replayed; nil if there is none.
    var firstSequence: Int? {
        guard let origin, origin.lastSequence < lastSequence else { return nil }
        return max(origin.lastSequence, lastSequence - BarLog.promisedEvents) + 1
    }

    /// Whether a log of this extent is full.
    static func isFull(_ extent: LogExtent) -> Bool {
        extent.events >= promisedEvents + spareEvents || extent.weight > weightLimit
    }

    /// The result of dropping the oldest entries of a log.
    struct Trimmed: Sendable {
        /// The record before the first of the other entries.
        let origin: BarRecord
        /// The bytes of the dropped entries.
        let droppedBytes: Int
        /// The extent of the other entries.
        let extent: LogExtent
    }

    /// Applies the oldest entries to the origin, until the rest is small enough; returns nil for an empty log.
    ///
    /// `extent` is that of the log and of the entries that will be appended. Entries can be dropped only up to one of the positions `ends`, which ascend; nil allows any.
    func trimmed(
        _ extent: LogExtent,
        ends: [Int]? = nil,
        rules: BarRules
    ) throws(StoredBytesError) -> Trimmed? {
        guard let origin else { return nil }
        var reader = BarLogReader(self, after: origin)
        var session = origin.session
        var rest = extent
        var stops = ends.map { $0[...] }
        var end: Trimmed?
        func trimmed() -> Trimmed {
            Trimmed(
                origin: BarRecord(checkpoint: session, revision: reader.revision, lastSequence: reader.sequence),
                droppedBytes: reader.position,
                extent: rest
            )
        }
        while rest.events > BarLog.promisedEvents || rest.weight > BarLog.weightLimit - BarLog.spareWeight,
            let entry = try reader.next()
        {
            do throws(BarLayoutError) {
                switch entry.content {
                case .tracks(let changes): try session.tracks.apply(changes)
                case .event(let event): _ = try session.apply(event, rules: rules)
                }
            } catch {
                throw .invalid(error)
            }
            rest.events -= entry.extent.events
            rest.weight -= entry.extent.weight
            guard rest.events >= 0, rest.weight >= 0 else { throw .inconsistentLog }
            guard let stop = stops?.first, stop <= reader.position else { continue }
            stops?.removeFirst()
            end = trimmed()
        }
        if ends == nil { return trimmed() }
        return end ?? Trimmed(origin: origin, droppedBytes: 0, extent: extent)
    }
}

/// The entries that one write appends to the log of its bar.
package struct LogAddition: ~Copyable, Sendable {
    /// The most entries of one part.
    private static let partEntries = 64

    private(set) var writer = ByteWriter(capacity: 24)
    private(set) var extent = LogExtent()
    private var count = 0
    /// The ends of all parts but the last one.
    private var ends: [Int] = []

    var isEmpty: Bool { count == 0 }

    /// The number of these bytes.
    var byteCount: Int { writer.count }

    /// The bytes of the entries in parts, the units in which a shared store drops them.
    var parts: [[UInt8]] {
        var start = 0
        return (ends + [byteCount]).map { end in
            defer { start = end }
            return writer.bytes(in: start..<end)
        }
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
struct BarLogReader {
    private var reader: ByteReader
    /// The numbers after the last entry that was read.
    private(set) var sequence: Int
    private(set) var revision: Int

    init(_ log: BarLog, after origin: BarRecord) {
        reader = ByteReader(log.entries)
        sequence = origin.lastSequence
        revision = origin.revision
    }

    /// The position after the last entry that was read.
    var position: Int { reader.position }

    /// Returns the next entry; nil at the end.
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
    /// The revision of the bar after the entry.
    let revision: Int
    let extent: LogExtent
}
