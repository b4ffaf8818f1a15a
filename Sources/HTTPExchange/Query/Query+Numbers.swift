import JSON
import Primitives

extension Query {
    /// A number as JSON writes it (RFC 8259, section 6): `-0.5`, `12`, `1e-3`.
    ///
    /// - Returns: nil without the parameter.
    /// - Throws: `Problem` 400 for text that is not such a number, or a number too large for a double (`1e999`); 422
    ///   for a number outside of `range`.
    package func double(
        _ name: String,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) throws(Problem) -> Double? {
        guard let text = value(of: name) else { return nil }
        return try Query.double(text, name, range)
    }

    /// Numbers with commas between them, such as `0,0.016,0.032`.
    ///
    /// - Throws: `Problem` as `double`, and 422 for more than `limit` numbers.
    package func doubles(
        _ name: String,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude,
        atMost limit: Int
    ) throws(Problem) -> [Double]? {
        guard let texts = try list(name, atMost: limit) else { return nil }
        var numbers: [Double] = []
        numbers.reserveCapacity(texts.count)
        for text in texts { numbers.append(try Query.double(text, name, range)) }
        return numbers
    }

    /// An integer in decimal digits, with an optional minus.
    ///
    /// - Returns: nil without the parameter.
    /// - Throws: `Problem` 400 for text that is not an integer, 422 outside of `range`.
    package func integer(_ name: String, in range: ClosedRange<Int> = Int.min...Int.max) throws(Problem) -> Int? {
        guard let text = value(of: name) else { return nil }
        guard NumberGrammar.isWhole(text) else {
            throw .invalidQuery(name, "must be a whole number, such as 10")
        }
        // Text of digits can only fail because it has too many of them.
        guard let number: Int = NumberGrammar.integer(text), range.contains(number) else {
            throw .invalidParameter(name, "must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the number of a required parameter; see `double`.
    ///
    /// - Throws: `Problem` 400 without it.
    package func requiredDouble(
        _ name: String,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) throws(Problem) -> Double {
        guard let number = try double(name, in: range) else { throw .missing(name) }
        return number
    }

    /// Returns the whole number of a required parameter; see `integer`.
    ///
    /// - Throws: `Problem` 400 without it.
    package func requiredInteger(
        _ name: String,
        in range: ClosedRange<Int> = Int.min...Int.max
    ) throws(Problem) -> Int {
        guard let number = try integer(name, in: range) else { throw .missing(name) }
        return number
    }

    private static func double(_ text: String, _ name: String, _ range: ClosedRange<Double>) throws(Problem) -> Double {
        guard let number = NumberGrammar.double(text) else {
            throw .invalidQuery(name, "must be a number\(lesson(text))")
        }
        guard range.contains(number) else { throw .invalidParameter(name, "must be \(words(range))") }
        return number
    }

    /// The probable mistake in a text that is not a number.
    private static func lesson(_ text: String) -> String {
        if text.isEmpty { return ", and is empty" }
        if text.contains(",") { return " with a decimal point, not a comma" }
        if text.contains(" ") { return "; a `+` in a query means a space, write `%2B` or omit it" }
        if NumberGrammar.isNumber(text) { return " of a size that a double can hold" }
        return ", such as 0.5"
    }

    private static func words(_ range: ClosedRange<Double>) -> String {
        switch (range.lowerBound == -.greatestFiniteMagnitude, range.upperBound == .greatestFiniteMagnitude) {
        case (false, true): "at least \(range.lowerBound.brief)"
        case (true, false): "at most \(range.upperBound.brief)"
        default: "from \(range.lowerBound.brief) to \(range.upperBound.brief)"
        }
    }
}

extension Problem {
    /// 400 for a missing parameter.
    static func missing(_ name: String) -> Problem {
        .invalidQuery(name, "is missing")
    }
}
