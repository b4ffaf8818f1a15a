extension DecimalText {
    /// Writes any positive double: the digits of the standard library, laid out anew.
    ///
    /// `Double.description` gives the shortest digits that read back to the value, and the closest of them (SwiftDtoa,
    /// "Errol" and "Ryū" compared in its source), as `0.1`, `12.5`, `1e-05` or `1.2345e+20`.
    static func writeShortest(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumLength) { digits in
            // The capacity is not zero, so there is an address.
            guard let digits = digits.baseAddress else { return 0 }
            let (count, scale) = split(value.description, into: digits)
            return value < 0x1p53 && scale > -6
                ? writePlain(digits, count, scale, to: target)
                : writeScientific(digits, count, scale, to: target)
        }
    }

    /// Takes a description apart: `value == 0.DIGITS * 10^scale`, the first digit and the last one not zero.
    private static func split(
        _ description: String,
        into digits: UnsafeMutablePointer<UInt8>
    ) -> (count: Int, scale: Int) {
        var count = 0
        var significant = 0
        var scale = 0
        var isFraction = false
        var text = description.utf8[...]
        while let byte = text.popFirst() {
            switch byte {
            case UInt8(ascii: "."):
                isFraction = true
            case UInt8(ascii: "e"):
                // What follows is an integer: the description of a finite double ends so.
                scale += Int(Substring(text)) ?? 0
                text = text[text.endIndex...]
            case UInt8(ascii: "0") where count == 0:
                if isFraction { scale -= 1 }
            default:
                if !isFraction { scale += 1 }
                digits[count] = byte
                count += 1
                if byte != UInt8(ascii: "0") { significant = count }
            }
        }
        return (significant, scale)
    }

    private static func writePlain(
        _ digits: UnsafeMutablePointer<UInt8>,
        _ count: Int,
        _ scale: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var length = 0
        func put(_ byte: UInt8) {
            target[length] = byte
            length += 1
        }
        if scale <= 0 {
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "."))
            for _ in scale..<0 { put(UInt8(ascii: "0")) }
        }
        for position in 0..<count {
            if position > 0, position == scale { put(UInt8(ascii: ".")) }
            put(digits[position])
        }
        return length
    }

    private static func writeScientific(
        _ digits: UnsafeMutablePointer<UInt8>,
        _ count: Int,
        _ scale: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var length = 0
        func put(_ byte: UInt8) {
            target[length] = byte
            length += 1
        }
        put(digits[0])
        if count > 1 { put(UInt8(ascii: ".")) }
        for position in 1..<max(count, 1) { put(digits[position]) }
        put(UInt8(ascii: "e"))
        let exponent = scale - 1
        put(exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        return length + write(Int(exponent.magnitude), to: target + length)
    }
}
