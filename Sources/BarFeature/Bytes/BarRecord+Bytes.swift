import BarLayout
import Primitives

// A stored bar is its present record, the origin of its log, and the entries of the log after the origin, in this codec.
// A store adds the version by which it recognises an earlier write: the revision, which is not in the bytes of a
// record.

/// The number of events in a log, and its weight.
///
/// A bar has the extent of its log in its record, so a writer needs no log to see that it is full.
struct LogExtent: Sendable, Equatable {
    var events = 0
    /// The weight of all entries; 0 for an empty log.
    var weight = 0

    static func + (left: LogExtent, right: LogExtent) -> LogExtent {
        LogExtent(events: left.events + right.events, weight: left.weight + right.weight)
    }
}

extension BarRecord {
    /// The format of records and origins, with which both begin.
    static let format: UInt8 = 4

    /// The position of the end of the bar in the bytes of its record.
    static let endPosition = 1
}

extension BarRecord {
    /// The bytes that few records without tracks exceed.
    static let usualCount = 96

    /// Returns the bytes of the record as the origin of a log.
    var originBytes: [UInt8] {
        var writer = ByteWriter(capacity: BarRecord.usualCount)
        writer.put(origin: self)
        return writer.bytes
    }
}

extension ByteWriter {
    /// Appends a record and the extent of the log: about 60 bytes, and the tracks.
    mutating func put(_ record: BarRecord, log: LogExtent) {
        put(BarRecord.format)
        put(end: record.expiresAt)
        put(number: record.ttlSeconds)
        put(number: record.lastSequence)
        put(number: log.events)
        put(number: log.weight)
        put(record.session)
    }

    /// Appends a record as the origin of a log.
    mutating func put(origin record: BarRecord) {
        put(BarRecord.format)
        put(number: record.revision)
        put(number: record.lastSequence)
        put(record.session)
    }

    /// Appends the end of a bar, which always takes 6 bytes, so that a store reads it in its place.
    mutating func put(end moment: WallTime) {
        let milliseconds = min(max(0, moment.milliseconds), WallTime.lastEnd)
        put(highest: 6, of: UInt64(milliseconds) << 16)
    }
}

extension WallTime {
    /// The last moment, in milliseconds, that 6 bytes can hold: in the year 10889.
    fileprivate static let lastEnd = 1 << 48 - 1
}

extension ByteReader {
    /// Reads a record, which has this revision, and the extent of its log.
    mutating func record(revision: Int) throws(StoredBytesError) -> (record: BarRecord, log: LogExtent) {
        try requireFormat()
        let expiresAt = try end()
        let (ttlSeconds, lastSequence) = (try number(), try number())
        let log = LogExtent(events: try number(), weight: try number())
        // Far above every stored number, and far below those that overflow when the bar changes.
        guard revision <= 1 << 56, lastSequence <= revision, ttlSeconds <= BarCreation.ttlRange.upperBound,
            max(log.events, log.weight) <= 1 << 32
        else { throw .numberTooLarge }
        let record = BarRecord(
            try session(),
            revision: revision,
            lastSequence: lastSequence,
            ttlSeconds: ttlSeconds,
            expiresAt: expiresAt
        )
        return (record, log)
    }

    /// Reads the origin of a log.
    mutating func origin() throws(StoredBytesError) -> BarRecord {
        try requireFormat()
        let (revision, lastSequence) = (try number(), try number())
        guard lastSequence <= revision else { throw .numberTooLarge }
        return BarRecord(checkpoint: try session(), revision: revision, lastSequence: lastSequence)
    }

    /// Reads the end of a bar.
    mutating func end() throws(StoredBytesError) -> WallTime {
        var milliseconds = 0
        for _ in 0..<6 { milliseconds = milliseconds << 8 | Int(try byte()) }
        return WallTime(milliseconds: milliseconds)
    }

    private mutating func requireFormat() throws(StoredBytesError) {
        let format = try byte()
        guard format == BarRecord.format else { throw .unknownFormat(format) }
    }
}
