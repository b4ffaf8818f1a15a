/// Appends values to bytes: an event in a log takes a tenth of the memory of the value itself.
///
/// The memory after the bytes exists already, and its content is arbitrary. So a number is stored as a whole word, of
/// which some bytes count, and not byte by byte.
///
/// It owns its memory and is never copied, so that an append only checks for room. `@unchecked Sendable`: no other object
/// has the address of the memory. Public like ``ByteReader``.
public struct ByteWriter: ~Copyable, @unchecked Sendable {
    @usableFromInline
    var memory: UnsafeMutableRawPointer
    @usableFromInline
    var capacity: Int
    /// The number of bytes so far; only writing changes it.
    public var count = 0

    /// A writer with memory for `capacity` bytes; it grows on demand.
    public init(capacity: Int = 0) {
        self.capacity = capacity + MemoryLayout<UInt64>.size
        memory = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit {
        memory.deallocate()
    }

    /// A copy of the bytes so far.
    public var bytes: [UInt8] { bytes(in: 0..<count) }

    /// Returns a copy of some of the bytes.
    public func bytes(in range: Range<Int>) -> [UInt8] {
        withBytes { Array(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Passes the bytes so far to `body`.
    @inlinable
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    // MARK: Numbers

    /// Appends a byte.
    @inlinable
    public mutating func put(_ byte: UInt8) {
        put(highest: 1, of: UInt64(byte) << 56)
    }

    /// Appends a number as the count of its bytes that are not zero at the end, and these bytes.
    ///
    /// Sizes and positions of views are mostly whole numbers or halves, which need two or three bytes.
    @inlinable
    public mutating func put(_ number: Double) {
        let count = 8 - number.bitPattern.trailingZeroBitCount / 8
        put(UInt8(truncatingIfNeeded: count))
        put(highest: count, of: number.bitPattern)
    }

    /// Appends 8 bytes, the lowest first.
    @inlinable
    public mutating func put(bits: UInt64) {
        put(highest: 8, of: bits.byteSwapped)
    }

    /// Appends a number in as many bytes as it needs: 7 bits in each, the lowest first; 0 for a negative number.
    @inlinable
    public mutating func put(number: Int) {
        var rest = UInt(max(0, number))
        while rest >= 0x80 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a count of elements, for `list`.
    @inlinable
    public mutating func put(count: Int) {
        put(number: count)
    }

    /// Appends the first bytes of a word, at most 8, the highest first.
    @inlinable
    public mutating func put(highest count: Int, of word: UInt64) {
        if capacity - self.count < MemoryLayout<UInt64>.size { grow(by: MemoryLayout<UInt64>.size) }
        (memory + self.count).storeBytes(of: word.bigEndian, as: UInt64.self)
        self.count += count
    }

    // MARK: Bytes

    /// Appends a text after the number of its bytes.
    @inlinable
    public mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { put(content: UnsafeRawBufferPointer($0)) }
    }

    /// Appends bytes after their number.
    @inlinable
    public mutating func put(_ content: [UInt8]) {
        content.withUnsafeBytes { put(content: $0) }
    }

    @usableFromInline
    mutating func put(content: UnsafeRawBufferPointer) {
        put(count: content.count)
        put(raw: content)
    }

    /// Appends bytes without their number.
    public mutating func put(raw content: UnsafeRawBufferPointer) {
        if capacity - count < content.count { grow(by: content.count) }
        UnsafeMutableRawBufferPointer(start: memory + count, count: content.count).copyMemory(from: content)
        count += content.count
    }

    /// Appends the bytes of another writer.
    public mutating func append(_ other: borrowing ByteWriter) {
        put(raw: UnsafeRawBufferPointer(start: other.memory, count: other.count))
    }

    /// Replaces the memory by one of twice the size, or with `room` more bytes if that is larger.
    @usableFromInline
    @inline(never)
    mutating func grow(by room: Int) {
        capacity += max(capacity, room)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }
}
