package import Motion
import Primitives

/// A CSS `linear()` easing (CSS Easing Functions Level 2): a polyline through printable stops.
package struct LinearEasing: Sendable, Equatable {
    /// A stop in the units of its easing, so printing it is exact.
    struct Stop: Sendable, Equatable {
        let position: Int
        /// The value in units of the last printed decimal.
        let value: Int
    }

    let stops: [Stop]
    /// Steps of a position from 0 to 100 %: 1000 are tenths of a percent.
    let positions: Int
    let decimals: Int

    package var count: Int { stops.count }

    /// The function in CSS syntax; the first and the last stop omit their positions, 0 and 100 %.
    package var css: String {
        let texts = stops.enumerated().map { index, stop in
            let value = stop.value.decimal(places: decimals)
            guard index > 0, index < stops.count - 1 else { return value }
            return "\(value) \(stop.position.decimal(places: positions == 1000 ? 1 : 2))%"
        }
        return "linear(\(texts.joined(separator: ", ")))"
    }

    /// Returns the largest distance to `curve` over `duration` seconds, at points that include all stops.
    package func distance(to curve: SpringCurve, duration: Double, points: Int = 20_000) -> Double {
        let unit = Self.unit(decimals: decimals)
        var largest = 0.0
        var index = 0
        let perPoint = Double(positions) / Double(points)
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

    static func unit(decimals: Int) -> Double {
        // A quotient, not a product of tenths: 1 / 10 000 is the double nearest to 0.0001.
        1 / [1, 10, 100, 1000, 10_000][decimals]
    }
}

extension LinearEasing {
    /// Returns an easing with its stops on a curve, each as far from the one before as the error allows, and what it is off.
    ///
    /// It has a third more stops than that of `LinearFit`, and takes a hundredth of the time, for files of many springs.
    /// Throws `noCurve` for a spring that swings too often before it settles.
    package static func along(
        _ curve: SpringCurve,
        maxError: Double
    ) throws(MotionError) -> (easing: LinearEasing, duration: Double, error: Double) {
        let duration = try LinearFit.end(of: curve, maxError: maxError, duration: nil).duration
        // The stops are within a share of the error; the rest is for rounding, and for the curve between two positions.
        for (positions, share) in [(1000, 0.95), (10_000, 0.95), (10_000, 0.3)] {
            let easing = along(curve, duration, positions, tolerance: share * maxError)
            let error = easing.distance(to: curve, duration: duration, points: 2 * positions)
            if error <= maxError { return (easing, duration, error) }
        }
        let reason = "leads to a spring that swings too often for stops at hundredths of a percent"
        throw .noCurve(parameter: "dampingRatio", reason: reason)
    }

    private static func along(
        _ curve: SpringCurve,
        _ duration: Double,
        _ positions: Int,
        tolerance: Double
    ) -> LinearEasing {
        let values = (0..<positions).map { curve.position(at: duration * Double($0) / Double(positions)) } + [1]
        var stops = [Stop(position: 0, value: 0)]
        while let start = stops.last, start.position < positions {
            var end = start.position + 1
            // The slopes of the lines from the start that are within the tolerance.
            var (low, high) = (-Double.infinity, Double.infinity)
            for position in end...positions {
                let (rise, run) = (values[position] - Double(start.value) / 10_000, Double(position - start.position))
                if low <= rise / run, rise / run <= high { end = position }
                (low, high) = (max(low, (rise - tolerance) / run), min(high, (rise + tolerance) / run))
                if low > high { break }
            }
            stops.append(Stop(position: end, value: Int.clamping((values[end] * 10_000).rounded())))
        }
        return LinearEasing(stops: stops, positions: positions, decimals: 4)
    }
}
