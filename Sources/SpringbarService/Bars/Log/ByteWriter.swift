/// Puts values one behind the other into bytes: an event takes a quarter of the room in a log that it takes in itself.
struct ByteWriter: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func put(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A count below 2^32.
    mutating func put(count: Int) {
        withUnsafeBytes(of: UInt32(count).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ text: String) {
        put(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }
}

/// Takes out again what a `ByteWriter` put in.
///
/// The bytes are our own, so anything unexpected is a bug of ours and stops the process.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8 {
        defer { position += 1 }
        return bytes[position]
    }

    mutating func double() -> Double {
        Double(bitPattern: integer(UInt64.self))
    }

    mutating func count() -> Int {
        Int(integer(UInt32.self))
    }

    mutating func text() -> String {
        let end = count() + position
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
        let size = MemoryLayout<T>.size
        precondition(position + size <= bytes.count, "the log is shorter than what it says")
        defer { position += size }
        // Inside the bounds, as just checked; the buffer gives no alignment, so none is asked for.
        return bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: T.self)) }
    }
}
