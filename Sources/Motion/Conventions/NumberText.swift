import Glibc

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
}
