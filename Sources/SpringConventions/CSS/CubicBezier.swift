package import Motion
import Primitives

/// A CSS `cubic-bezier()`, the fallback for browsers without `linear()`.
package struct CubicBezier: Sendable, Equatable {
    package let x1: Double
    package let y1: Double
    package let x2: Double
    package let y2: Double

    package var css: String { "cubic-bezier(\(x1.snippet), \(y1.snippet), \(x2.snippet), \(y2.snippet))" }

    /// Returns the position and the value at a parameter from 0 to 1.
    package func point(at parameter: Double) -> (position: Double, value: Double) {
        let complement = 1 - parameter
        let first = 3 * complement * complement * parameter
        let second = 3 * complement * parameter * parameter
        let cube = parameter * parameter * parameter
        return (first * x1 + second * x2 + cube, first * y1 + second * y2 + cube)
    }

    /// Creates the curve with the smallest maximum distance to a spring over `duration` seconds, to three decimals.
    ///
    /// It overshoots at most once, and not at all if the spring does so by less than a thousandth of the travel.
    package init(fitting curve: SpringCurve, duration: Double) {
        let staysBetween = curve.overshoot < 0.001 && curve.initialVelocity >= 0
        func bezier(_ numbers: [Double]) -> CubicBezier { Self(numbers, staysBetween: staysBetween) }
        let samples = (0...512).map { curve.position(at: duration * Double($0) / 512) }
        let starts: [[Double]] = [
            [0.25, 0.75, 0.3, 1], [0.2, 1, 0.2, 1], [0.1, 0.4, 0.1, 1], [0.2, 1.4, 0.4, 1], [0.4, 0, 0.6, 1],
        ]
        let fits = starts.map { start in Simplex.minimum(from: start) { Self.error(bezier($0), samples) } }
        let best = fits.min { $0.error < $1.error } ?? fits[0]
        self = bezier(best.numbers.map { ($0 * 1000).rounded() / 1000 })
    }

    private init(_ numbers: [Double], staysBetween: Bool) {
        x1 = min(max(numbers[0], 0), 1)
        y1 = staysBetween ? min(max(numbers[1], 0), 1) : numbers[1]
        x2 = min(max(numbers[2], 0), 1)
        y2 = staysBetween ? min(max(numbers[3], 0), 1) : numbers[3]
    }

    private static func error(_ bezier: CubicBezier, _ samples: [Double]) -> Double {
        var largest = 0.0
        for step in 1..<128 {
            let (position, value) = bezier.point(at: Double(step) / 128)
            let offset = position * Double(samples.count - 1)
            let index = Int.clamping(offset, to: 0...samples.count - 2)
            let fraction = offset - Double(index)
            let target = samples[index] + fraction * (samples[index + 1] - samples[index])
            largest = max(largest, abs(value - target))
        }
        return largest
    }
}

/// The downhill simplex of Nelder and Mead (The Computer Journal 7, 1965), with their coefficients.
private enum Simplex {
    typealias Corner = (numbers: [Double], error: Double)

    /// Returns the point with the least value after 240 iterations, from a simplex of size 0.15 at `start`.
    static func minimum(from start: [Double], of value: ([Double]) -> Double) -> Corner {
        func corner(_ numbers: [Double]) -> Corner { (numbers, value(numbers)) }
        var corners = [corner(start)]
        for index in start.indices {
            var numbers = start
            numbers[index] += 0.15
            corners.append(corner(numbers))
        }
        for _ in 0..<240 {
            corners.sort { $0.error < $1.error }
            let worst = corners[corners.count - 1]
            let centre = start.indices.map { index in
                corners.dropLast().reduce(0) { $0 + $1.numbers[index] } / Double(start.count)
            }
            func move(_ factor: Double) -> Corner { corner(zip(centre, worst.numbers).map { $0 + factor * ($0 - $1) }) }
            let reflected = move(1)
            var replacement = reflected
            if reflected.error < corners[0].error {
                let expanded = move(2)
                if expanded.error < reflected.error { replacement = expanded }
            } else if reflected.error >= corners[corners.count - 2].error {
                replacement = move(reflected.error < worst.error ? 0.5 : -0.5)
            }
            if replacement.error < worst.error {
                corners[corners.count - 1] = replacement
            } else {
                let best = corners[0].numbers
                corners = corners.map { corner(zip(best, $0.numbers).map { ($0 + $1) / 2 }) }
            }
        }
        return corners.min { $0.error < $1.error } ?? corners[0]
    }
}
