import BarLayout
import Primitives
import StoredBytes

@testable import BarFeature
@testable import SpringbarService

/// The bytes of a stored bar, as another version of the service or a damaged store could have them.
///
/// The first byte selects a record, a start or a log.
@Sendable
func fuzzStoredBar(_ bytes: [UInt8]) {
    var input = Input(bytes)
    switch input.byte() % 3 {
    case 0: readRecord(input.rest())
    case 1: readOrigin(input.rest())
    default: readLog(&input)
    }
}

/// Checks that a record that is read is the same when it is written and read again, and that its bar goes on.
private func readRecord(_ bytes: [UInt8]) {
    let revision = 1 << 40
    func read(_ bytes: [UInt8]) throws -> (record: BarRecord, log: LogExtent, isAtEnd: Bool) {
        try ByteReader.read(bytes) { (reader: consuming ByteReader) in
            let (record, log) = try reader.record(revision: revision)
            return (record, log, reader.isAtEnd)
        }
    }
    guard let (record, log, _) = try? read(bytes) else { return }
    var writer = ByteWriter()
    writer.put(record, log: log)
    guard let same = try? read(writer.bytes) else {
        fail("a record that was read cannot be written")
    }
    require(same.record == record && same.log == log, "a record is another one when it is read again")
    require(same.isAtEnd, "a record has bytes after its end")
    var session = record.session
    _ = try? session.apply(BarEvent(.expand(true)))
    _ = BarAnswer(id: nil, expiresAt: record.expiresAt).json(record)
}

private func readOrigin(_ bytes: [UInt8]) {
    func read(_ bytes: [UInt8]) throws -> BarRecord {
        try ByteReader.read(bytes) { (reader: consuming ByteReader) in try reader.start() }
    }
    guard let start = try? read(bytes) else { return }
    require((try? read(start.startBytes)) == start, "a start is another one when it is read again")
}

/// Checks that the replay of a trimmed log is the end of that of the whole log.
private func readLog(_ input: inout Input) {
    let (kept, count) = (Int(input.byte() % 8), Int(input.byte()))
    let bytes = input.rest()
    let (start, entries) = (Array(bytes.prefix(count)), Array(bytes.dropFirst(count)))
    guard let first = try? BarLog(start: start, entries: entries, lastSequence: 0) else { return }
    // The numbers that a bar with these entries has.
    let numbers = try? first.read { (reader: consuming BarLogReader, start) throws(StoredBytesError) in
        var (extent, last) = (LogExtent(), start.lastSequence)
        while let entry = try reader.next() {
            extent = extent + entry.extent
            last = entry.sequence
        }
        return (extent, last)
    }
    guard let (size, last) = numbers,
        let log = try? BarLog(start: start, entries: entries, lastSequence: last)
    else { return }
    _ = try? log.page(after: 0, limit: 512)
    // With more events than there are, it is trimmed to the last `kept` ones.
    let extent = size + LogExtent(events: BarLog.promisedEvents - kept, cost: 0)
    let trimmed = try? log.trimmed(extent)
    guard let least = log.firstSequence, let whole = try? log.replay(from: least, to: last) else {
        return
    }
    require(whole.count == last - least + 1, "a replay has another number of events")
    guard let trimmed else { fail("a log that is replayed cannot be trimmed") }
    let rest = try? BarLog(
        start: trimmed.start.startBytes,
        entries: Array(entries.dropFirst(trimmed.droppedBytes)),
        lastSequence: last
    )
    guard let rest else { fail("a trimmed log cannot be read") }
    guard let begin = rest.firstSequence else { return }
    let end = try? rest.replay(from: begin, to: last)
    require(end?.map(\.record) == whole.suffix(last - begin + 1).map(\.record), "a trimmed log has other states")
}
