/// The identity of one state of a record: its first 16 bytes.
///
/// A store compares these bytes and does not interpret them. They are a revision and a random number of the writer. So
/// the same revision of another writer, such as one before a failover, is another version.
package struct RecordVersion: Sendable, Hashable {
    /// The first 8 bytes, as a big-endian number.
    package let high: UInt64
    /// The next 8 bytes, as a big-endian number.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the version at the start of some bytes; nil if there are fewer than 16.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= RecordVersion.byteCount else { return nil }
        self.init(
            high: bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }

    package static let byteCount = 16

    package var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) } }
}
