/// Eight lower-case hexadecimal digits, the text of 32 bits, all at once in one word.
struct HexadecimalWord: Equatable {
    /// The number of digits.
    static let length = 8

    /// The characters, the first one in the highest byte.
    private let characters: UInt64

    /// The digits of `value`.
    init(_ value: UInt32) {
        // Half of the bits moves up, then half of each half, until every byte has four bits.
        var digits = UInt64(value)
        digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
        // 6 more make 16 or more of a digit from 10 on; no sum here reaches the next byte.
        let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & HexadecimalWord.ones
        let letterOffset = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
        characters = digits &+ HexadecimalWord.ones &* UInt64(UInt8(ascii: "0")) &+ isLetter &* letterOffset
    }

    /// Reads eight bytes, whatever they are.
    init(_ bytes: RawSpan, at start: Int) {
        // Any eight bytes are an integer, so the type can be no lie; the place is checked.
        characters = UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
    }

    /// The 32 bits that these are the digits of; nil when a byte is none.
    ///
    /// Bytes are digits if and only if the value that they would have is written with them, so nothing else is asked.
    var value: UInt32? {
        // Letters, and no digits below 10, have the bit 0x40; their low bits count from 1.
        let isLetter = characters >> 6 & HexadecimalWord.ones
        var value = (characters & 0x0F0F_0F0F_0F0F_0F0F) &+ isLetter &* 9
        value = (value >> 4 | value) & 0x00FF_00FF_00FF_00FF
        value = (value >> 8 | value) & 0x0000_FFFF_0000_FFFF
        let bits = UInt32(truncatingIfNeeded: value >> 16 | value)
        return HexadecimalWord(bits) == self ? bits : nil
    }

    /// Writes the digits, ``length`` bytes.
    func write(to bytes: UnsafeMutableRawBufferPointer, at start: Int) {
        bytes.storeBytes(of: characters.bigEndian, toByteOffset: start, as: UInt64.self)
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
}
