/// SipHash-2-4 (Aumasson, Bernstein: "SipHash: a fast short-input PRF", 2012), usually under a fixed key.
///
/// For entity tags, fingerprints and checksums. Its values are equal in every run, which those of `Hasher` are not.
/// With the fixed key it does not protect against deliberate collisions.
package struct SipHash: Sendable {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// The bytes that do not fill a word yet; the first one is the lowest.
    private var tail: UInt64 = 0
    private var count = 0

    /// A hash under a key of 128 bits, by default the fixed one.
    ///
    /// If the key is secret, neither the key nor other values can be derived from a value.
    package init(key low: UInt64 = 0x0706_0504_0302_0100, _ high: UInt64 = 0x0f0e_0d0c_0b0a_0908) {
        v0 = 0x736f_6d65_7073_6575 ^ low
        v1 = 0x646f_7261_6e64_6f6d ^ high
        v2 = 0x6c79_6765_6e65_7261 ^ low
        v3 = 0x7465_6462_7974_6573 ^ high
    }

    /// Adds bytes one by one.
    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte) }
    }

    /// Adds bytes, eight at a time where possible.
    package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        while position < bytes.count, count & 7 != 0 {
            combine(bytes[position])
            position += 1
        }
        while bytes.count - position >= 8 {
            compress(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            count += 8
            position += 8
        }
        while position < bytes.count {
            combine(bytes[position])
            position += 1
        }
    }

    /// Adds a byte.
    package mutating func combine(_ byte: UInt8) {
        tail |= UInt64(byte) << UInt64(8 * (count & 7))
        count += 1
        if count & 7 == 0 {
            compress(tail)
            tail = 0
        }
    }

    /// Returns the hash of everything added so far.
    package func finalized() -> UInt64 {
        var state = self
        state.compress(tail | UInt64(truncatingIfNeeded: count) << 56)
        state.v2 ^= 0xff
        for _ in 0..<4 { state.round() }
        return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
    }

    /// Returns the hash of the UTF-8 of a text.
    package static func hash(_ text: String) -> UInt64 {
        text.utf8.span.withUnsafeBytes { hash($0) }
    }

    /// Returns the hash of bytes.
    package static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { hash($0) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = SipHash()
        hash.combine(bytes)
        return hash.finalized()
    }

    private mutating func compress(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    private mutating func round() {
        v0 &+= v1
        v1 = v1 << 13 | v1 >> 51
        v1 ^= v0
        v0 = v0 << 32 | v0 >> 32
        v2 &+= v3
        v3 = v3 << 16 | v3 >> 48
        v3 ^= v2
        v0 &+= v3
        v3 = v3 << 21 | v3 >> 43
        v3 ^= v0
        v2 &+= v1
        v1 = v1 << 17 | v1 >> 47
        v1 ^= v2
        v2 = v2 << 32 | v2 >> 32
    }
}
