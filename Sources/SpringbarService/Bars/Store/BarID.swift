/// The identifier of a bar: 128 random bits, so a client that knows it was given it.
package struct BarID: Sendable, Hashable {
    let bits: UInt128

    init(bits: UInt128) {
        self.bits = bits
    }

    /// Makes a new identifier; `generator` must be unpredictable.
    package init(using generator: inout some RandomNumberGenerator) {
        bits = UInt128(generator.next() as UInt64) << 64 | UInt128(generator.next() as UInt64)
    }

    /// Reads 32 hexadecimal digits in lower case; nil for any other text.
    package init?(_ text: String) {
        let digits = text.utf8.span
        guard digits.count == BarID.length else { return nil }
        // In halves: shifts of 128 bits take several instructions.
        var (high, low, all): (UInt64, UInt64, UInt8) = (0, 0, 0)
        for index in 0..<BarID.length / 2 {
            let (first, second) = (
                BarID.values[Int(digits[index])], BarID.values[Int(digits[index + BarID.length / 2])]
            )
            high = high << 4 | UInt64(first & 0xF)
            low = low << 4 | UInt64(second & 0xF)
            all |= first | second
        }
        guard all <= 0xF else { return nil }
        bits = UInt128(high) << 64 | UInt128(low)
    }

    /// The value of each byte as a digit; above 15 for bytes that are none.
    private static let values: [UInt8] = (0...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: .max
        }
    }

    /// The identifier as hexadecimal digits, as in a URL.
    package var text: String {
        String(unsafeUninitializedCapacity: BarID.length, initializingUTF8With: write)
    }

    /// Writes the digits to a buffer of at least `length` bytes; returns their number.
    func write(to digits: UnsafeMutableBufferPointer<UInt8>) -> Int {
        func digit(_ half: UInt64) -> UInt8 {
            let value = UInt8(truncatingIfNeeded: half & 0xF)
            return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        }
        var (high, low) = (UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits))
        for index in (0..<BarID.length / 2).reversed() {
            digits[index] = digit(high)
            digits[index + BarID.length / 2] = digit(low)
            high >>= 4
            low >>= 4
        }
        return BarID.length
    }

    /// The number of digits.
    static let length = 32
}
