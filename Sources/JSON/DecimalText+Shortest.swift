extension DecimalText {
    /// Writes any positive double that is not whole and below 2^53: the digits of the standard library in our layout.
    ///
    /// `Double.description` gives the shortest digits that read back to the value, and of these the closest, as `0.1`,
    /// `12.5`, `1e-05` or `1.2345e+20`. Below 2^53 it is our text already, unless it has an exponent.
    static func writeShortest(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var description = value.description
        return description.withUTF8 { text in
            guard value < 0x1p53, !text.contains(UInt8(ascii: "e")) else {
                return Digits(text).write(isPlain: value < 0x1p53, to: target)
            }
            for position in 0..<text.count { target[position] = text[position] }
            return text.count
        }
    }
}

/// The digits of a positive number and the place of its point: the value is 0.DIGITS times ten to the `scale`.
private struct Digits {
    /// At most 17, the first and the last not zero.
    private var digits: [UInt8] = []
    private var scale = 0

    /// Takes the description of a double apart.
    init(_ description: UnsafeBufferPointer<UInt8>) {
        let exponentAt = description.firstIndex(of: UInt8(ascii: "e")) ?? description.endIndex
        var isFraction = false
        for byte in description[..<exponentAt] {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte == UInt8(ascii: "0"), digits.isEmpty {
                scale -= isFraction ? 1 : 0
            } else {
                scale += isFraction ? 0 : 1
                digits.append(byte)
            }
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        scale += Digits.exponent(description[exponentAt...].dropFirst())
    }

    /// Writes the number without an exponent where the layout allows it and `isPlain` does, else with one.
    func write(isPlain: Bool, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var text: [UInt8] = []
        // A plain number with an exponent in its description is below 1e-4, so its point is before all its digits.
        if isPlain, scale > -6 {
            text = [UInt8(ascii: "0"), UInt8(ascii: ".")]
            text += repeatElement(UInt8(ascii: "0"), count: -scale)
            text += digits
        } else {
            let exponent = scale - 1
            text += digits.prefix(1)
            if digits.count > 1 {
                text.append(UInt8(ascii: "."))
                text += digits.dropFirst()
            }
            text += (exponent < 0 ? "e-" : "e+").utf8
            text += String(exponent.magnitude).utf8
        }
        for (position, byte) in text.enumerated() { target[position] = byte }
        return text.count
    }

    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let magnitude = text.reduce(0) { number, byte in
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            return isDigit ? number * 10 + Int(byte - UInt8(ascii: "0")) : number
        }
        return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }
}
