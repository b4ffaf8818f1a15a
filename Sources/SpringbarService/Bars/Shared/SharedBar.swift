import BarLayout
import Primitives
import SharedState

/// A bar as a shared store has it: the record, the outline of its log, the key of its creation, and its client's share.
///
/// The bytes begin with the version: the revision of the record, and a random number of the write.
final class SharedBar: Sendable {
    let record: BarRecord
    let outline: LogOutline
    let creation: Creation?
    let share: Share?
    /// The random number of the write that made this state.
    let nonce: UInt64

    /// The idempotency key that created a bar.
    struct Creation: Sendable, Equatable {
        /// The key of the store.
        let key: SharedKey
        let fingerprint: UInt64
        /// The time when its time to live was set.
        let renewedAt: WallTime
    }

    /// The share of a client that a bar takes.
    struct Share: Sendable, Equatable {
        /// The fingerprint of the client.
        let client: UInt64
        /// The time when the time to live of the client's value was set.
        let renewedAt: WallTime
    }

    init(record: BarRecord, outline: LogOutline, creation: Creation?, share: Share?, nonce: UInt64) {
        self.record = record
        self.outline = outline
        self.creation = creation
        self.share = share
        self.nonce = nonce
    }

    var version: SharedVersion { SharedVersion(high: UInt64(record.revision), low: nonce) }

    /// The version of the format, with which all states and checkpoints begin.
    static let format: UInt8 = 3

    /// The bar as a value of the store.
    var value: SharedValue {
        var writer = ByteWriter(capacity: 256)
        writer.put(SharedBar.format)
        writer.put(number: record.lastSequence)
        writer.put(number: record.ttlSeconds)
        writer.put(number: record.expiresAt.milliseconds)
        writer.put(record.session)
        writer.put(outline)
        writer.put((creation == nil ? 0 : Parts.creation) | (share == nil ? 0 : Parts.share))
        if let creation {
            writer.put(creation.key.text)
            writer.put(bits: creation.fingerprint)
            writer.put(number: creation.renewedAt.milliseconds)
        }
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
        try reader.requireFormat()
        guard let revision = Int(exactly: version.high) else { throw .numberTooLarge }
        let (lastSequence, ttlSeconds) = (try reader.number(), try reader.number())
        // Far above every stored number, and far below those that overflow when the bar changes.
        guard revision <= 1 << 56, ttlSeconds <= BarCreation.ttlRange.upperBound else { throw .numberTooLarge }
        let expiresAt = WallTime(milliseconds: try reader.number())
        record = BarRecord(
            try reader.session(),
            revision: revision,
            lastSequence: lastSequence,
            ttlSeconds: ttlSeconds,
            expiresAt: expiresAt
        )
        outline = try reader.outline()
        nonce = version.low
        let parts = try reader.byte()
        guard parts & ~Parts.known == 0 else { throw .unknownFlags(UInt16(parts)) }
        creation = parts & Parts.creation == 0 ? nil : try reader.creation()
        share = parts & Parts.share == 0 ? nil : try reader.share()
    }

    /// The bits for the parts that not every bar has.
    private enum Parts {
        static let creation: UInt8 = 1
        static let share: UInt8 = 2
        static let known = creation | share
    }

    /// Reads a message to watchers: a bar, and the commands of its write.
    static func message(_ bytes: [UInt8]) throws(StoredBytesError) -> (bar: SharedBar, commands: [NumberedCommand]) {
        guard let version = SharedVersion(bytes) else { throw .truncated }
        var reader = ByteReader(bytes, from: SharedVersion.byteCount)
        let bar = try SharedBar(version, &reader)
        return (bar, try reader.commands())
    }

    /// The bytes of a copy in memory, about.
    var cost: Int {
        BarRecord.byteCount + record.session.heapBytes + 128
            + HeapBlock.array(of: LogOutline.Segment.self, capacity: outline.segments.count)
    }
}

extension ByteReader {
    fileprivate mutating func creation() throws(StoredBytesError) -> SharedBar.Creation {
        let (key, fingerprint) = (try text(), try bits())
        let renewedAt = WallTime(milliseconds: try number())
        return SharedBar.Creation(key: SharedKey(key), fingerprint: fingerprint, renewedAt: renewedAt)
    }

    fileprivate mutating func share() throws(StoredBytesError) -> SharedBar.Share {
        SharedBar.Share(client: try bits(), renewedAt: WallTime(milliseconds: try number()))
    }

    /// Reads the version of the format; throws for another one.
    mutating func requireFormat() throws(StoredBytesError) {
        let format = try byte()
        guard format == SharedBar.format else { throw .unknownFormat(format) }
    }
}
