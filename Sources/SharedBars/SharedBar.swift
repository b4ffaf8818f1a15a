import BarFeature
import BarLayout
import Primitives
import SharedState
import StoredBytes

/// A bar as a shared store has it: the record, the extent of its log, and its client's share.
///
/// The bytes begin with the version: the revision of the record, and a random number of the write.
final class SharedBar: Sendable {
    let record: BarRecord
    let log: LogExtent
    let share: Share?
    let version: RecordVersion
    let bytes: [UInt8]

    /// The share of a client that a bar takes.
    struct Share: Sendable, Equatable {
        let client: UInt64
        /// The time from which the bar is counted for its client.
        let renewedAt: WallTime
    }

    /// The next state of a bar; `nonce` is the random number of the write that makes it.
    init(record: BarRecord, log: LogExtent, share: Share?, nonce: UInt64) {
        self.record = record
        self.log = log
        self.share = share
        version = RecordVersion(high: UInt64(record.revision), low: nonce)
        var writer = ByteWriter(capacity: 256)
        // Big-endian, as the store reads it.
        writer.put(bits: version.high.byteSwapped)
        writer.put(bits: version.low.byteSwapped)
        writer.put(record, log: log)
        let isRepeated = record.creation != 0
        writer.put((share == nil ? 0 : SharedBar.withShare) | (isRepeated ? SharedBar.withCreation : 0))
        if let share {
            writer.put(bits: share.client)
            writer.put(number: share.renewedAt.milliseconds)
        }
        if isRepeated { writer.put(bits: record.creation) }
        bytes = writer.bytes
    }

    static func read(_ bytes: [UInt8]) throws(StoredBytesError) -> SharedBar { try message(bytes).bar }

    private init(_ bytes: [UInt8], _ reader: inout ByteReader) throws(StoredBytesError) {
        version = RecordVersion(high: try reader.bits().byteSwapped, low: try reader.bits().byteSwapped)
        guard let revision = Int(exactly: version.high) else { throw .numberTooLarge }
        var (record, log) = try reader.record(revision: revision)
        let flags = try reader.byte()
        guard flags & ~(SharedBar.withShare | SharedBar.withCreation) == 0 else { throw .unknownFlags(UInt16(flags)) }
        if flags & SharedBar.withShare == 0 {
            share = nil
        } else {
            share = Share(client: try reader.bits(), renewedAt: WallTime(milliseconds: try reader.number()))
        }
        if flags & SharedBar.withCreation != 0 { record.creation = try reader.bits() }
        (self.record, self.log) = (record, log)
        // A message has the commands after the bar.
        self.bytes = reader.isAtEnd ? bytes : Array(bytes[..<reader.position])
    }

    /// The bit for the share of a client, in the byte after the record.
    private static let withShare: UInt8 = 2
    /// The bit for a bar that was made again under its id; version 1.0 does not read such a bar, and leaves it as it is.
    private static let withCreation: UInt8 = 4

    /// Reads a message to watchers: a bar, and the commands of its write; the bytes of a bar have none.
    static func message(_ bytes: [UInt8]) throws(StoredBytesError) -> (bar: SharedBar, commands: [NumberedCommand]) {
        try ByteReader.read(bytes) { (reader: consuming ByteReader) throws(StoredBytesError) in
            let bar = try SharedBar(bytes, &reader)
            if reader.isAtEnd { return (bar, []) }
            return (bar, try reader.list { (bytes) throws(StoredBytesError) in try bytes.command() })
        }
    }

    /// Reads the log of a bar from its elements in the store.
    func log(of stored: LoggedRecord) throws(StoredBytesError) -> BarLog {
        guard (stored.start == nil) == (log.cost == 0) else { throw .inconsistentLog }
        return try BarLog(
            start: stored.start ?? [],
            entries: Array(stored.entries.joined()),
            lastSequence: record.lastSequence
        )
    }

    /// The bytes of a copy in memory, about: a decoded number takes 8 bytes and its encoding at least 1.
    var cost: Int { 512 + 9 * bytes.count }
}

extension BarID {
    var key: String { "b:" + text }

    var bytes: [UInt8] { RecordVersion(high: high, low: low).bytes }
}
