import Primitives

/// A spring curve as a CSS easing, with its duration and its measured error.
package struct LinearFit: Sendable, Equatable {
    package let easing: LinearEasing
    /// The duration of the easing in seconds.
    package let duration: Double
    /// The largest measured distance to the spring over the duration, as a share of the travel.
    package let measuredError: Double
    /// The distance of the spring to its target at the end of the easing, as a share of the travel.
    package let endResidual: Double

    /// Allowed errors, as shares of the travel.
    package static let errors = ParameterRange(0.0005...0.1)
    /// Allowed durations in seconds.
    package static let durations = ParameterRange(1e-6...3600)

    /// Creates the easing with the fewest stops that stays within `maxError` of `curve`.
    ///
    /// Without `duration`, the easing ends when the spring stays within half the error. That time is rounded up to
    /// milliseconds, or to microseconds below 10 ms. Each of the two searches may take `work` steps.
    ///
    /// - Throws: `MotionError.outOfRange`. `MotionError.noCurve` if the spring never settles, or is further than the
    ///   error from its target after the duration. Also if the curve turns faster than stops can be printed, or if a
    ///   search exceeds `work`.
    package init(
        _ curve: SpringCurve,
        maxError: Double,
        duration given: Double? = nil,
        work: Int = LinearFit.work
    ) throws(MotionError) {
        let maxError = try Self.errors.checked(maxError, "maxError")
        let duration = try Self.duration(of: curve, maxError: maxError, given: given)
        endResidual = abs(1 - curve.position(at: duration))
        guard endResidual <= maxError * Self.share else {
            throw .noCurve(parameter: "curveDuration", reason: Self.reason(curve, endResidual, maxError))
        }
        var reason = "it turns faster than stops at hundredths of a percent can follow"
        do {
            if let (easing, error) = try Self.easing(curve, duration: duration, maxError: maxError, work: work) {
                self.duration = duration
                (self.easing, measuredError) = (easing, error)
                return
            }
        } catch {
            reason = "the search exceeds its \(work) steps"
        }
        throw .noCurve(
            parameter: "maxError",
            reason: """
                is too small for this curve: within \(duration.plain) s \(reason); try a larger error or a shorter \
                `curveDuration`
                """
        )
    }

    /// The default limit of steps for each of the two searches.
    package static let work = FewestLinks.work

    /// The search uses slightly less than the error, which leaves room for rounding in a client that verifies it.
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
        let unit = settled < 0.01 ? 1e6 : 1e3
        let duration = (settled * unit).rounded(.up) / unit
        guard durations.contains(duration) else {
            throw .noCurve(
                parameter: "curveDuration",
                reason: "would be \(duration.plain) s, which exceeds \(durations.upper.plain) s; give a shorter one"
            )
        }
        return duration
    }

    private static func reason(_ curve: SpringCurve, _ residual: Double, _ maxError: Double) -> String {
        let end = curve.settlingTime(epsilon: maxError * share)
        let advice = end.map { "; use at least \((($0 * 1000).rounded(.up) / 1000).plain) s" } ?? ""
        return "ends while the spring is still \(residual.short) of the travel from its target\(advice)"
    }

    /// Searches positions in tenths of a percent first, and in hundredths if the curve turns too fast for those.
    ///
    /// - Returns: the easing and its error; nil if no easing is within the error.
    private static func easing(
        _ curve: SpringCurve,
        duration: Double,
        maxError: Double,
        work: Int
    ) throws(FewestLinks.TooMuchWork) -> (LinearEasing, Double)? {
        let margin = maxError * share
        let decimals = maxError <= 0.002 ? 4 : 3
        let unit = LinearEasing.unit(decimals: decimals)
        // Twenty values per column are enough for a wide corridor.
        let stride = Int.clamping((maxError / unit / 10 - 1e-9).rounded(.up), to: 1...1000)
        // A dip below the start is visible. It is allowed only if the initial velocity points away from the target.
        let least = curve.initialVelocity < 0 ? -Double.infinity : 0
        func search(
            _ corridor: Corridor,
            positions: Int,
            stride: Int
        ) throws(FewestLinks.TooMuchWork) -> (LinearEasing, Double)? {
            let links = FewestLinks(corridor: corridor, unit: unit, stride: stride, least: least)
            guard let stops = try links.stops(work: work) else { return nil }
            let easing = LinearEasing(stops: stops, lattice: .init(positions: positions, decimals: decimals))
            let error = easing.distance(to: curve, duration: duration)
            return error <= maxError ? (easing, error) : nil
        }
        let density = maxError < 0.01 ? 4 : 2
        let tenths = Corridor(curve, duration: duration, margin: margin, columns: 1000, density: density)
        if let found = try search(tenths, positions: 1000, stride: decimals == 4 ? 1 : stride) { return found }
        let hundredths = Corridor(curve, duration: duration, margin: margin, upTo: 10_000)
        return try search(hundredths, positions: 10_000, stride: stride)
    }
}

/// A spring as CSS custom properties, with a fallback for browsers without `linear()`.
package struct SpringStyle: Sendable, Equatable {
    package let fit: LinearFit
    package let fallback: CubicBezier

    package init(_ fit: LinearFit, of curve: SpringCurve) {
        self.fit = fit
        fallback = CubicBezier(fitting: curve, duration: fit.duration)
    }

    /// Returns the CSS rule.
    ///
    /// `comment` describes the spring and must not contain the end of a comment.
    package func css(comment: String) -> String {
        """
        /* \(comment); \(fit.easing.count) stops, at most \(fit.measuredError.short) of the travel off */
        :root {
          --spring-duration: \((fit.duration * 1000).snippet)ms;
          --spring-easing: \(fallback.css);
        }
        @supports (animation-timing-function: linear(0, 1)) {
          :root {
            --spring-easing: \(fit.easing.css);
          }
        }
        /* transition: transform var(--spring-duration) var(--spring-easing); */

        """
    }
}
