import Primitives

extension JSONValue {
    /// The value as a double, which is finite.
    ///
    /// `-0` gives 0: whoever compares, stores or prints it shall not meet a second zero. An integer of more than 53
    /// bits is rounded to the nearest double.
    package func double() throws(JSONError) -> Double {
        guard let value = document.withTape({ $0.double(index) }) else { throw mismatch("a number") }
        return value
    }

    /// The value as a double in `range`.
    package func double(in range: ClosedRange<Double>) throws(JSONError) -> Double {
        let value = try double()
        guard range.contains(value) else {
            throw error(
                "must be from \(range.lowerBound.brief) to \(range.upperBound.brief)"
            )
        }
        return value
    }

    /// The value as an integer: a number without a fraction, however it is written (`200`, `200.0`, `2e2`).
    ///
    /// With a point or an exponent it is read as a double, and refused from 2^53 on, where doubles stop being exact.
    package func integer() throws(JSONError) -> Int {
        try integer(in: Int.min...Int.max)
    }

    /// The value as an integer in `range`.
    package func integer(in range: ClosedRange<Int>) throws(JSONError) -> Int {
        let (letter, word) = numeral
        switch letter {
        case Tape.Letter.integer:
            let value = Int(Int64(bitPattern: word))
            guard range.contains(value) else { throw outside(range) }
            return value
        case Tape.Letter.unsigned:
            // The tape has this letter only for what is over Int64.max.
            throw outside(range)
        case Tape.Letter.double:
            let value = Double(bitPattern: word)
            guard value == value.rounded(.towardZero) else { throw error("must be an integer") }
            let whole = Int.clamping(value)
            guard abs(value) < 0x1p53, range.contains(whole) else { throw outside(range) }
            return whole
        default:
            throw mismatch("an integer")
        }
    }

    private var numeral: (letter: UInt8, word: UInt64) {
        document.withTape { tape in
            let letter = tape.letter(index)
            // A literal may be the last word, with no number behind it.
            let isNumber =
                letter == Tape.Letter.double || letter == Tape.Letter.integer || letter == Tape.Letter.unsigned
            return (letter, isNumber ? tape.number(index) : 0)
        }
    }

    private func outside(_ range: ClosedRange<Int>) -> JSONError {
        error("must be an integer from \(range.lowerBound) to \(range.upperBound)")
    }
}

extension Double {
    /// The number for a message: `0.5`, `60`, `1e9`.
    package var brief: String { DecimalText.brief(self) }
}

extension Tape {
    /// The number at `index` as a double; nil for what is no number.
    @inline(__always)
    func double(_ index: Int) -> Double? {
        switch letter(index) {
        case Letter.double: Double(bitPattern: number(index)) + 0.0  // -0.0 + 0.0 is 0.0
        case Letter.integer: Double(Int64(bitPattern: number(index)))
        case Letter.unsigned: Double(number(index))
        default: nil
        }
    }
}
