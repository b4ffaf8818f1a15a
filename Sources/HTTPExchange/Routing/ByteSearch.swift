/// Searches that every request pays for, eight bytes at a time.
///
/// A word has eight lanes. Each search makes a word whose lanes have their top bit set where the byte is wanted, with
/// the arithmetic of "Bit Twiddling Hacks" (S. E. Anderson, "Determine if a word has a byte less than n"). The lowest
/// lane that is set is always right; one above it may be set by its borrow, which changes nothing about whether there
/// is one, and where the first one is.
package enum ByteSearch {
    /// Whether there is a control character: below 0x20, or 0x7F (RFC 5234, appendix B.1, CTL).
    package static func hasControl(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        first(in: bytes, from: 0) { lanes($0, below: 0x20) | lanes($0, equalTo: 0x7F) } != nil
    }

    /// Whether `wanted` is among the bytes.
    package static func contains(_ wanted: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        index(of: wanted, in: bytes, from: 0) != nil
    }

    /// Where `wanted` is for the first time, at `start` or behind it; nil when it is not.
    package static func index(of wanted: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        first(in: bytes, from: start) { lanes($0, equalTo: wanted) }
    }

    /// The index of the first byte that `wanted` sets the lane of.
    @inline(__always)
    private static func first(
        in bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        _ wanted: (UInt64) -> UInt64
    ) -> Int? {
        var position = start
        while position + 8 <= bytes.count {
            let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let found = wanted(UInt64(littleEndian: word))
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bytes.count {
            // One byte in all lanes is wanted in all of them or in none.
            if wanted(UInt64(bytes[position]) &* ones) != 0 { return position }
            position += 1
        }
        return nil
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private static func lanes(_ word: UInt64, below limit: UInt8) -> UInt64 {
        (word &- ones &* UInt64(limit)) & ~word & tops
    }

    @inline(__always)
    private static func lanes(_ word: UInt64, equalTo byte: UInt8) -> UInt64 {
        lanes(word ^ ones &* UInt64(byte), below: 1)
    }
}
