/// A spring curve as a CSS easing, and how true it is.
package struct LinearFit: Sendable, Equatable {
    package let easing: LinearEasing
    /// The duration in seconds that goes with it.
    package let duration: Double
    /// The largest distance to the spring over the duration, measured; a share of the travel.
    package let measuredError: Double
    /// How far the spring is from its target when the easing ends.
    package let endResidual: Double

    /// Errors that can be asked for, as shares of the travel.
    package static let errors = ParameterRange(0.0005...0.1)
    /// Durations that can be asked for, in seconds.
    package static let durations = ParameterRange(above: 0, upTo: 3600)

    /// The easing of fewest stops that stays within `maxError` of `curve`.
    ///
    /// Without a `duration` it is that after which the spring stays within half the error, in whole milliseconds.
    ///
    /// - Throws: `MotionError.outOfRange`; `MotionError.noCurve` for a spring without an end in time, for a duration
    ///   at whose end it is further than the error from its target, and for more swings than stops can be printed.
    package init(_ curve: SpringCurve, maxError: Double, duration given: Double? = nil) throws(MotionError) {
        let maxError = try Self.errors.checked(maxError, "maxError")
        let duration = try Self.duration(of: curve, maxError: maxError, given: given)
        endResidual = abs(1 - curve.position(at: duration))
        guard endResidual <= maxError * Self.share else {
            throw .noCurve(parameter: "curveDuration", reason: Self.reason(curve, endResidual, maxError))
        }
        guard let found = Self.easing(curve, duration: duration, maxError: maxError) else {
            throw .noCurve(
                parameter: "maxError",
                reason: "is too small for a spring that swings this often: no stops can be printed that follow it"
            )
        }
        self.duration = duration
        (easing, measuredError) = found
    }

    /// The search goes for a little less than the error, which leaves room for the rounding of those who check it.
    private static let share = 0.9999

    private static func duration(
        of curve: SpringCurve,
        maxError: Double,
        given: Double?
    ) throws(MotionError) -> Double {
        if let given { return try durations.checked(given, "curveDuration") }
        guard let settled = curve.settlingTime(epsilon: maxError / 2) else {
            throw .noCurve(
                parameter: "dampingRatio",
                reason: "leads to a spring that never settles, which no CSS easing can follow"
            )
        }
        let duration = (settled * 1000).rounded(.up) / 1000
        guard durations.contains(duration) else {
            throw .noCurve(
                parameter: "curveDuration",
                reason: "would be \(duration.plain) s, longer than any easing of ours: give a shorter one"
            )
        }
        return duration
    }

    private static func reason(_ curve: SpringCurve, _ residual: Double, _ maxError: Double) -> String {
        let end = curve.settlingTime(epsilon: maxError * share)
        let advice = end.map { "; from \($0.snippet) s on it stays within" } ?? ""
        return "ends where the spring is still \(residual.snippet) of the travel from its target\(advice)"
    }

    /// Looks on the lattice of tenths of a percent first, and on that of hundredths for springs that swing often.
    private static func easing(
        _ curve: SpringCurve,
        duration: Double,
        maxError: Double
    ) -> (LinearEasing, Double)? {
        // A dip below the start is a fault that is seen; only a velocity away from the target asks for one.
        let least = curve.initialVelocity < 0 ? -Double.infinity : 0
        let decimals = maxError <= 0.002 ? 4 : 3
        let unit = LinearEasing.unit(decimals: decimals)
        // Twenty values to a column are enough for a wide corridor, and so are fewer samples.
        let stride = maxError <= 0.002 ? 1 : max(1, Int((2 * maxError / unit / 20).rounded(.up)))
        for (columns, density) in [(1000, maxError < 0.01 ? 4 : 2), (10_000, 1)] {
            let corridor = Corridor(
                curve,
                duration: duration,
                margin: maxError * share,
                columns: columns,
                density: density
            )
            let search = FewestLinks(corridor: corridor, unit: unit, stride: stride, least: least)
            guard let stops = search.stops() else { continue }
            let easing = LinearEasing(stops: stops, lattice: .init(positions: columns, decimals: decimals))
            let error = easing.distance(to: curve, duration: duration)
            if error <= maxError { return (easing, error) }
        }
        return nil
    }
}
