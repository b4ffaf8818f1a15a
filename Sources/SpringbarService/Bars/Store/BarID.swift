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
        var (high, low): (UInt64, UInt64) = (0, 0)
        for index in digits.indices {
            let digit = digits[index]
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if index < BarID.length / 2 { high = high << 4 | UInt64(value) } else { low = low << 4 | UInt64(value) }
        }
        bits = UInt128(high) << 64 | UInt128(low)
    }

    /// The identifier as hexadecimal digits, as in a URL.
    package var text: String {
        String(unsafeUninitializedCapacity: BarID.length, initializingUTF8With: write)
    }

    /// Writes the digits to a buffer of at least `length` bytes; returns their number.
    func write(to digits: UnsafeMutableBufferPointer<UInt8>) -> Int {
        for index in 0..<BarID.length {
            let value = UInt8(truncatingIfNeeded: bits >> (4 * (BarID.length - 1 - index))) & 0xF
            digits[index] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        }
        return BarID.length
    }

    /// The number of digits.
    static let length = 32
}
