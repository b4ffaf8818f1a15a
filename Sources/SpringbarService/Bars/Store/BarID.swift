/// Names a bar: 128 random bits, so that whoever knows it was given it.
package struct BarID: Sendable, Hashable {
    let bits: UInt128

    init(bits: UInt128) {
        self.bits = bits
    }

    /// Half of the bits are as random as all of them, and hashed in half the time.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(truncatingIfNeeded: bits))
    }

    /// A new one from a generator of randomness that nobody can foresee.
    package init(using generator: inout some RandomNumberGenerator) {
        bits = UInt128(generator.next() as UInt64) << 64 | UInt128(generator.next() as UInt64)
    }

    /// Reads what `text` writes: 32 hexadecimal digits, in lower case; nil for anything else.
    package init?(_ text: String) {
        let digits = text.utf8.span
        guard digits.count == BarID.length else { return nil }
        var bits: UInt128 = 0
        for word in 0..<BarID.wordCount {
            let word = HexadecimalWord(digits.bytes, at: word * HexadecimalWord.length)
            guard let value = word.value else { return nil }
            bits = bits << 32 | UInt128(value)
        }
        self.bits = bits
    }

    /// The name as it stands in a URL.
    package var text: String {
        String(unsafeUninitializedCapacity: BarID.length) { digits in
            write(to: digits)
            return BarID.length
        }
    }

    /// The digits of a name.
    static let length = wordCount * HexadecimalWord.length

    /// The words of 32 bits.
    private static let wordCount = 4

    /// Writes the name as it stands in a URL, ``length`` bytes.
    func write(to digits: UnsafeMutableBufferPointer<UInt8>) {
        let bytes = UnsafeMutableRawBufferPointer(digits)
        for word in 0..<BarID.wordCount {
            let value = UInt32(truncatingIfNeeded: bits >> (32 * (BarID.wordCount - 1 - word)))
            HexadecimalWord(value).write(to: bytes, at: word * HexadecimalWord.length)
        }
    }
}
