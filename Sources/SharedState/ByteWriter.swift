/// Appends values to bytes: an event in a log takes a tenth of the memory of the value itself.
///
/// Public like ``ByteReader``.
public struct ByteWriter: Sendable, Equatable {
    /// The bytes so far; only writing changes them.
    public var bytes: [UInt8] = []

    /// A writer with memory for `capacity` bytes.
    @inlinable
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Appends a byte.
    @inlinable
    public mutating func put(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends a number as the count of its bytes that are not zero at the end, and these bytes.
    ///
    /// Sizes and positions of views are mostly whole numbers or halves, which need two or three bytes.
    @inlinable
    public mutating func put(_ number: Double) {
        var rest = number.bitPattern
        let count = 8 - rest.trailingZeroBitCount / 8
        bytes.append(UInt8(truncatingIfNeeded: count))
        for _ in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: rest >> 56))
            rest <<= 8
        }
    }

    /// Appends 8 bytes, the lowest first.
    @inlinable
    public mutating func put(bits: UInt64) {
        withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a count of elements, for `list`.
    @inlinable
    public mutating func put(count: Int) {
        put(number: count)
    }

    /// Appends a text after the number of its bytes.
    @inlinable
    public mutating func put(_ text: String) {
        put(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends bytes after their number.
    @inlinable
    public mutating func put(_ content: [UInt8]) {
        put(count: content.count)
        bytes.append(contentsOf: content)
    }

    /// Appends a number in as many bytes as it needs: 7 bits in each, the lowest first; 0 for a negative number.
    @inlinable
    public mutating func put(number: Int) {
        var rest = UInt(max(0, number))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
