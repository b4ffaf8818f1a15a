/// The name of a value; the engine adds the prefix of the service.
package struct SharedKey: Sendable {
    package let text: String
    /// Whether the usage of the engine counts the key; the others are auxiliary.
    package let isCounted: Bool

    package init(_ text: String, isCounted: Bool = false) {
        self.text = text
        self.isCounted = isCounted
    }
}

/// Keys of the same text are equal.
extension SharedKey: Hashable {
    package static func == (one: SharedKey, other: SharedKey) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

/// The identity of one state of a value: the first 16 bytes of the value.
///
/// An engine compares these bytes and does not interpret them. Usually they are a revision and a random number of the
/// writer. So the same revision of another writer, such as one before a failover, is another version.
package struct SharedVersion: Sendable, Hashable {
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
        guard bytes.count >= SharedVersion.byteCount else { return nil }
        self.init(
            high: bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }

    package static let byteCount = 16

    /// The 16 bytes of the version.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SharedVersion.byteCount)
        withUnsafeBytes(of: high.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: low.bigEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }
}

/// Bytes that begin with their version.
package struct SharedValue: Sendable, Hashable {
    package let bytes: [UInt8]
    package let version: SharedVersion

    /// A value of stored bytes; nil if they are too short for a version.
    package init?(stored bytes: [UInt8]) {
        guard let version = SharedVersion(bytes) else { return nil }
        self.bytes = bytes
        self.version = version
    }

    /// A value of a version and the bytes after it.
    package init(_ version: SharedVersion, _ content: [UInt8] = []) {
        self.version = version
        bytes = version.bytes + content
    }

    /// The bytes after the version.
    package var content: ArraySlice<UInt8> { bytes[SharedVersion.byteCount...] }
}

/// A value with its log.
package struct SharedEntry: Sendable, Hashable {
    package let value: SharedValue
    /// The entries of the log, the oldest first.
    package let log: [[UInt8]]

    package init(_ value: SharedValue, log: [[UInt8]]) {
        self.value = value
        self.log = log
    }
}
