/// Names a bar: 128 random bits, so that whoever knows it was given it.
package struct BarID: Sendable, Hashable {
    let bits: UInt128

    init(bits: UInt128) {
        self.bits = bits
    }

    /// A new one from a generator of randomness that nobody can foresee.
    package init(using generator: inout some RandomNumberGenerator) {
        bits = UInt128(generator.next() as UInt64) << 64 | UInt128(generator.next() as UInt64)
    }

    /// Reads what `text` writes: 32 hexadecimal digits, in lower case; nil for anything else.
    package init?(_ text: String) {
        let digits = text.utf8.span
        guard digits.count == BarID.length, let high = BarID.half(digits, from: 0),
            let low = BarID.half(digits, from: BarID.length / 2)
        else { return nil }
        bits = UInt128(high) << 64 | UInt128(low)
    }

    /// The name as it stands in a URL.
    package var text: String {
        String(unsafeUninitializedCapacity: BarID.length) { digits in
            write(to: digits)
            return BarID.length
        }
    }

    /// The digits of a name.
    static let length = 32

    /// Writes the name as it stands in a URL, ``length`` bytes.
    func write(to digits: UnsafeMutableBufferPointer<UInt8>) {
        var rest = (high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
        for position in (0..<BarID.length / 2).reversed() {
            digits[position] = BarID.digit(rest.high)
            digits[position + BarID.length / 2] = BarID.digit(rest.low)
            rest = (rest.high >> 4, rest.low >> 4)
        }
    }

    /// The last four bits as a digit.
    private static func digit(_ bits: UInt64) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 0xF)
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The value of sixteen digits; nil when one is none.
    private static func half(_ digits: Span<UInt8>, from start: Int) -> UInt64? {
        var bits: UInt64 = 0
        for position in start..<start + BarID.length / 2 {
            switch digits[position] {
            case let digit where UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit:
                bits = bits << 4 | UInt64(digit - UInt8(ascii: "0"))
            case let digit where UInt8(ascii: "a")...UInt8(ascii: "f") ~= digit:
                bits = bits << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return bits
    }
}
