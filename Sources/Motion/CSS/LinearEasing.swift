/// A CSS `linear()` easing (CSS Easing Functions Level 2): a polyline through printable stops.
package struct LinearEasing: Sendable, Equatable {
    /// A stop in the units of the lattice it was chosen from, so that printing it loses nothing.
    struct Stop: Sendable, Equatable {
        /// In steps of the positions' lattice.
        let position: Int
        /// In units of the last printed decimal.
        let value: Int
    }

    /// The numbers that a stop can be printed with.
    struct Lattice: Sendable, Equatable {
        /// Steps of a position from 0 to 100 %: 1000 are tenths of a percent.
        let positions: Int
        /// Decimals of a value.
        let decimals: Int
    }

    let stops: [Stop]
    let lattice: Lattice

    /// The number of stops.
    package var count: Int { stops.count }

    /// The function as it is written in CSS; the first and the last stop stand at 0 and 100 % without saying so.
    package var css: String {
        let percentDigits = lattice.positions == 1000 ? 1 : 2
        let texts = stops.enumerated().map { index, stop in
            let value = Self.decimal(stop.value, places: lattice.decimals)
            guard index > 0, index < stops.count - 1 else { return value }
            return "\(value) \(Self.decimal(stop.position, places: percentDigits))%"
        }
        return "linear(\(texts.joined(separator: ", ")))"
    }

    /// The largest distance to `curve` over `duration` seconds, at 20 001 points: the stops are among them, and
    /// between them many more than a curve that can be printed has features.
    package func distance(to curve: SpringCurve, duration: Double) -> Double {
        var largest = 0.0
        var index = 0
        let points = 20_000
        let perPoint = Double(lattice.positions) / Double(points)
        for point in 0...points {
            let position = Double(point) * perPoint
            while index < stops.count - 2, Double(stops[index + 1].position) <= position { index += 1 }
            let (start, end) = (stops[index], stops[index + 1])
            let slope = Double(end.value - start.value) / Double(end.position - start.position)
            let value = (Double(start.value) + (position - Double(start.position)) * slope) * unit
            let time = duration * Double(point) / Double(points)
            largest = max(largest, abs(value - curve.position(at: time)))
        }
        return largest
    }

    /// What the last printed decimal is worth.
    private var unit: Double { Self.unit(decimals: lattice.decimals) }

    static func unit(decimals: Int) -> Double {
        // The quotient and not the product of tenths: 1 / 10 000 is the double nearest to 0.0001.
        1 / [1, 10, 100, 1000, 10_000][decimals]
    }

    /// A number of units of the last decimal, without zeros at its end.
    static func decimal(_ units: Int, places: Int) -> String {
        var digits = String(units.magnitude)
        digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let whole = digits.dropLast(places)
        var fraction = digits.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        return (units < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
