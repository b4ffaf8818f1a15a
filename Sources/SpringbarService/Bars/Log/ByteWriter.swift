import Primitives

/// Puts values one behind the other into bytes: an event takes a quarter of the room in a log that it takes in itself.
struct ByteWriter: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []

    /// The bytes of the heap that it takes, with the room it has to spare.
    var heapBytes: Int { HeapBlock.array(of: UInt8.self, capacity: bytes.capacity) }

    /// Makes room for `count` more bytes.
    ///
    /// What is added at once gets the room that it needs, what is added bit by bit half as much again as there was:
    /// doubling would leave a third of the logs empty.
    mutating func reserve(_ count: Int) {
        if let capacity = capacity(adding: count) { bytes.reserveCapacity(capacity) }
    }

    /// An upper bound of the heap bytes that `reserve` adds; 0 if there is room.
    func growthBound(adding count: Int) -> Int {
        guard let capacity = capacity(adding: count) else { return 0 }
        // An array also uses what the allocator rounds up to.
        return HeapBlock.array(of: UInt8.self, capacity: capacity + 32) - heapBytes
    }

    /// The room to ask for; nil if there is enough.
    private func capacity(adding count: Int) -> Int? {
        let needed = bytes.count + count
        return needed > bytes.capacity ? max(needed, bytes.capacity * 3 / 2) : nil
    }

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
