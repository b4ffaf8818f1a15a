import Glibc
import Primitives

extension Double {
    /// The number for code to paste: at most ten significant digits, no more than are needed.
    ///
    /// 0.30000000000000004 is noise to a reader, and a relative error of 1e-10 moves no pixel.
    var snippet: String {
        guard self != 0, isFinite else { return "0" }
        let exponent = log10(magnitude).rounded(.down)
        // Beyond these a power of ten is not exact, and so neither would be the rounding.
        guard abs(exponent) < 20 else { return plain }
        let places = 9 - exponent
        let scale = pow(10, abs(places))
        return (places < 0 ? (self / scale).rounded() * scale : (self * scale).rounded() / scale).plain
    }

    /// The number with at most so many decimals, without zeros at its end and without an exponent; one of 1e15 and more
    /// as `plain`.
    package func fixed(places: Int) -> String {
        // A power of ten is exact up to 22.
        let units = (magnitude * pow(10, Double(min(max(places, 0), 22)))).rounded()
        guard units < 0x1p53 else { return plain }
        let text = LinearEasing.decimal(Int.clamping(units), places: min(max(places, 0), 22))
        return self < 0 && units > 0 ? "-\(text)" : text
    }

    /// The number for a person: three decimals, or three significant digits where those say more.
    package var readable: String {
        guard isFinite, self != 0, magnitude < 0.1 else { return fixed(places: 3) }
        guard magnitude >= 1e-12 else { return rough }
        return fixed(places: 2 - Int.clamping(log10(magnitude).rounded(.down)))
    }

    /// The number for a message, whatever its size: as `readable`, or three significant digits and an exponent where that
    /// would be long.
    var rough: String {
        guard isFinite, self != 0, magnitude >= 1e5 || magnitude < 1e-12 else { return readable }
        // A number this small is written with an exponent, and a power of ten of that size may not be a double.
        let text = "\(self)"
        if let mark = text.firstIndex(of: "e"), let digits = Double(text[..<mark]) {
            return ((digits * 100).rounded() / 100).plain + text[mark...]
        }
        let exponent = log10(magnitude).rounded(.down)
        return "\(((self / pow(10, exponent - 2)).rounded() / 100).plain)e\(exponent.plain)"
    }

    /// The number for a message: as `plain`, and millions of anything as `1e6`, whose zeros nobody has to count.
    var brief: String {
        let zeros = plain.reversed().prefix { $0 == "0" }.count
        return zeros >= 6 && rounded() == self ? "\(plain.dropLast(zeros))e\(zeros)" : plain
    }

    /// The number without the `.0` of a whole one.
    package var plain: String {
        self == rounded() && magnitude < 1e15 ? "\(Int64.clamping(self))" : "\(self)"
    }

    /// Two significant digits upwards, for an error that is stated.
    package var short: String {
        guard self > 0, isFinite else { return "0" }
        var scale = 1.0
        while self * scale < 10, scale < 1e12 { scale *= 10 }
        return ((self * scale).rounded(.up) / scale).plain
    }
}
