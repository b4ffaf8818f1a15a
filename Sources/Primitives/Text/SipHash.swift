/// SipHash-2-4 (Aumasson, Bernstein: "SipHash: a fast short-input PRF", 2012), usually under a fixed key.
///
/// For entity tags, fingerprints and checksums. Its values are equal in every run, which those of `Hasher` are not.
/// With the fixed key it does not protect against deliberate collisions. If the key is secret, neither the key nor other
/// values can be derived from a value.
package struct SipHash {
    /// A key of 128 bits.
    package typealias Key = (low: UInt64, high: UInt64)

    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    private init(_ key: Key) {
        v0 = 0x736f_6d65_7073_6575 ^ key.low
        v1 = 0x646f_7261_6e64_6f6d ^ key.high
        v2 = 0x6c79_6765_6e65_7261 ^ key.low
        v3 = 0x7465_6462_7974_6573 ^ key.high
    }

    /// Returns the hash of the UTF-8 of a text.
    package static func hash(_ text: String) -> UInt64 { text.utf8.span.withUnsafeBytes { hash($0) } }

    /// Returns the hash of bytes.
    package static func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { hash($0) } }

    /// Returns the hash of bytes under a key, by default the fixed one.
    package static func hash(
        _ bytes: UnsafeRawBufferPointer,
        key: Key = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
    ) -> UInt64 {
        var state = SipHash(key)
        let end = bytes.count & ~7
        for position in stride(from: 0, to: end, by: 8) {
            state.compress(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
        }
        // The last word has the bytes that do not fill one, the first of them lowest, and the count.
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for position in end..<bytes.count { last |= UInt64(bytes[position]) << UInt64(8 * (position - end)) }
        state.compress(last)
        state.v2 ^= 0xff
        for _ in 0..<4 { state.round() }
        return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
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
