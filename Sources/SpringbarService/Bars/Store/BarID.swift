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
        guard text.utf8.count == 32 else { return nil }
        var bits: UInt128 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): bits = bits << 4 | UInt128(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): bits = bits << 4 | UInt128(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        self.bits = bits
    }

    /// The name as it stands in a URL.
    package var text: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            var rest = bits
            for position in stride(from: 31, through: 0, by: -1) {
                let digit = UInt8(truncatingIfNeeded: rest & 0xF)
                digits[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                rest >>= 4
            }
            return 32
        }
    }
}
