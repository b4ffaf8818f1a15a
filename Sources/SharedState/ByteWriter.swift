/// Appends values to bytes: an event in a log takes a tenth of the memory of the value itself.
package struct ByteWriter: Sendable, Equatable {
    package private(set) var bytes: [UInt8] = []

    /// A writer with memory for `capacity` bytes.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func put(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends a number as the count of its bytes that are not zero at the end, and these bytes.
    ///
    /// Sizes and positions of views are mostly whole numbers or halves, which need two or three bytes.
    package mutating func put(_ number: Double) {
        var rest = number.bitPattern
        let count = 8 - rest.trailingZeroBitCount / 8
        bytes.append(UInt8(truncatingIfNeeded: count))
        for _ in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: rest >> 56))
            rest <<= 8
        }
    }

    package mutating func put(bits: UInt64) {
        withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a count of elements, for `list`.
    package mutating func put(count: Int) {
        put(number: count)
    }

    package mutating func put(_ text: String) {
        put(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func put(_ content: [UInt8]) {
        put(count: content.count)
        bytes.append(contentsOf: content)
    }

    /// Appends a number in as many bytes as it needs: 7 bits in each, the lowest first; 0 for a negative number.
    package mutating func put(number: Int) {
        var rest = UInt(max(0, number))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
