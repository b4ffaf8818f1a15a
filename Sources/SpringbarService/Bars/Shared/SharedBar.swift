import BarLayout
import Primitives
import SharedState

/// A bar as a shared store has it: the record, the extent of its log, and its client's share.
///
/// The bytes begin with the version: the revision of the record, and a random number of the write.
final class SharedBar: Sendable {
    let record: BarRecord
    let log: LogExtent
    let share: Share?
    /// The random number of the write that made this state.
    let nonce: UInt64

    /// The share of a client that a bar takes.
    struct Share: Sendable, Equatable {
        /// The fingerprint of the client.
        let client: UInt64
        /// The time when the time to live of the client's value was set.
        let renewedAt: WallTime
    }

    init(record: BarRecord, log: LogExtent, share: Share?, nonce: UInt64) {
        self.record = record
        self.log = log
        self.share = share
        self.nonce = nonce
    }

    var version: SharedVersion { SharedVersion(high: UInt64(record.revision), low: nonce) }

    /// The bar as a value of the store.
    var value: SharedValue {
        var writer = ByteWriter(capacity: 256)
        writer.put(record, log: log)
        writer.put(share == nil ? 0 : Parts.share)
        if let share {
            writer.put(bits: share.client)
            writer.put(number: share.renewedAt.milliseconds)
        }
        return SharedValue(version, writer.bytes)
    }

    /// Reads a value of the store.
    convenience init(_ value: SharedValue) throws(StoredBytesError) {
        var reader = ByteReader(value.bytes, from: SharedVersion.byteCount)
        try self.init(value.version, &reader)
    }

    private init(_ version: SharedVersion, _ reader: inout ByteReader) throws(StoredBytesError) {
        guard let revision = Int(exactly: version.high) else { throw .numberTooLarge }
        (record, log) = try reader.record(revision: revision)
        nonce = version.low
        let parts = try reader.byte()
        guard parts & ~Parts.known == 0 else { throw .unknownFlags(UInt16(parts)) }
        share = parts & Parts.share == 0 ? nil : try reader.share()
    }

    /// Reads the log of the bar from its elements in the store: the origin, and then an element for each part of a write.
    func log(of elements: [[UInt8]]) throws(StoredBytesError) -> BarLog {
        guard elements.isEmpty == (log.weight == 0) else { throw .inconsistentLog }
        return try BarLog(
            origin: elements.first ?? [],
            entries: Array(elements.dropFirst().joined()),
            lastSequence: record.lastSequence
        )
    }

    /// The bits for the parts that not every bar has.
    private enum Parts {
        static let share: UInt8 = 2
        static let known = share
    }

    /// Reads a message to watchers: a bar, and the commands of its write.
    static func message(_ bytes: [UInt8]) throws(StoredBytesError) -> (bar: SharedBar, commands: [NumberedCommand]) {
        guard let version = SharedVersion(bytes) else { throw .truncated }
        var reader = ByteReader(bytes, from: SharedVersion.byteCount)
        let bar = try SharedBar(version, &reader)
        return (bar, try reader.commands())
    }

    /// The bytes of a copy in memory, about: a decoded number takes 8 bytes and its encoding at least 1.
    var cost: Int { 512 + 8 * value.bytes.count }
}

extension ByteReader {
    fileprivate mutating func share() throws(StoredBytesError) -> SharedBar.Share {
        SharedBar.Share(client: try bits(), renewedAt: WallTime(milliseconds: try number()))
    }
}
