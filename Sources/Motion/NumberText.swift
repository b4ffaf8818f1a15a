import CMathematics
import Primitives

extension Double {
    /// The number as code: at most ten significant digits, without trailing zeros.
    package var snippet: String {
        guard self != 0, isFinite else { return "0" }
        let exponent = log10(magnitude).rounded(.down)
        // Beyond these, powers of ten are not exact.
        guard abs(exponent) < 20 else { return plain }
        let places = 9 - exponent
        let scale = pow(10, abs(places))
        return (places < 0 ? (self / scale).rounded() * scale : (self * scale).rounded() / scale).plain
    }

    /// Returns the number with at most `places` decimals, without trailing zeros; from 1e15 on in the form of `plain`.
    package func fixed(places: Int) -> String {
        // Powers of ten are exact up to 22.
        let places = min(max(places, 0), 22)
        let units = (magnitude * pow(10, Double(places))).rounded()
        guard units < 0x1p53 else { return plain }
        let text = Int.clamping(units).decimal(places: places)
        return self < 0 && units > 0 ? "-\(text)" : text
    }

    /// The number for display: three decimals, or three significant digits for small numbers.
    package var readable: String {
        guard isFinite, self != 0, magnitude < 0.1 else { return fixed(places: 3) }
        guard magnitude >= 1e-12 else { return rough }
        return fixed(places: 2 - Int.clamping(log10(magnitude).rounded(.down)))
    }

    /// The number for a message: the form of `readable`, or three significant digits with an exponent if that is long.
    package var rough: String {
        guard isFinite, self != 0, magnitude >= 1e5 || magnitude < 1e-12 else { return readable }
        // A number this small is printed with an exponent. A power of ten of that size may not be a double.
        let text = "\(self)"
        if let mark = text.firstIndex(of: "e"), let digits = Double(text[..<mark]) {
            return ((digits * 100).rounded() / 100).plain + text[mark...]
        }
        let exponent = log10(magnitude).rounded(.down)
        return "\(((self / pow(10, exponent - 2)).rounded() / 100).plain)e\(exponent.plain)"
    }

    /// The number for a message: the form of `plain`, with an exponent instead of six or more zeros, such as `1e6`.
    var brief: String {
        let zeros = plain.reversed().prefix { $0 == "0" }.count
        return zeros >= 6 && rounded() == self ? "\(plain.dropLast(zeros))e\(zeros)" : plain
    }

    /// The number without the `.0` of an integer.
    package var plain: String {
        self == rounded() && magnitude < 1e15 ? "\(Int64.clamping(self))" : "\(self)"
    }

    /// An error, rounded up to two significant digits.
    package var short: String {
        guard self > 0, isFinite else { return "0" }
        var scale = 1.0
        while self * scale < 10, scale < 1e12 { scale *= 10 }
        return ((self * scale).rounded(.up) / scale).plain
    }
}

extension Int {
    /// The text of a number of units of the last decimal, without trailing zeros; `places` is not negative.
    package func decimal(places: Int) -> String {
        var digits = String(magnitude)
        digits = String(repeating: "0", count: Swift.max(0, places + 1 - digits.count)) + digits
        let whole = digits.dropLast(places)
        var fraction = digits.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        return (self < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
