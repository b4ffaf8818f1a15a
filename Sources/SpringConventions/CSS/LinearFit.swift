package import Motion
import Primitives

/// A spring curve as a CSS easing, with its duration and its measured error.
package struct LinearFit: Sendable, Equatable {
    let spring: Spring
    package let easing: LinearEasing
    package let duration: Double
    /// The largest measured distance to the spring over the duration, as a share of the travel.
    package let measuredError: Double
    /// The distance of the spring to its target at the end of the easing, as a share of the travel.
    package let endResidual: Double
    /// The nearest easing for browsers without `linear()`.
    package let fallback: CubicBezier

    package static let errors = ParameterRange(0.0005...0.1)
    package static let durations = ParameterRange(1e-6...3600)

    /// The number of samples that one search may visit by default, which takes a quarter of a second.
    package static let work = 150_000_000
    /// The search uses slightly less than the error, which leaves room for rounding in a client that verifies it.
    private static let share = 0.9999

    /// Creates the easing with the fewest stops that stays within `maxError` of `curve`.
    ///
    /// Without `duration`, the easing ends when the spring stays within half the error. That time is rounded up to
    /// milliseconds, or to microseconds below 10 ms. Each of the two searches may take `work` steps.
    package init(
        _ curve: SpringCurve,
        maxError: Double,
        duration given: Double? = nil,
        work: Int = LinearFit.work
    ) throws(MotionError) {
        spring = curve.spring
        (duration, endResidual) = try Self.end(of: curve, maxError: maxError, duration: given)
        guard let fit = Self.easing(curve, duration, maxError, work: work) else {
            let reason = """
                is too small for this curve: within \(duration.plain) s it turns faster than stops at hundredths of a \
                percent can follow, or the search takes too long; try a larger error or a shorter `curveDuration`
                """
            throw .noCurve(parameter: "maxError", reason: reason)
        }
        (easing, measuredError) = fit
        fallback = CubicBezier(fitting: curve, duration: duration)
    }

    /// Returns the end of the easing in seconds, and the distance of the spring to its target there.
    static func end(
        of curve: SpringCurve,
        maxError: Double,
        duration given: Double?
    ) throws(MotionError) -> (duration: Double, residual: Double) {
        let maxError = try errors.checked(maxError, "maxError")
        if let given { _ = try durations.checked(given, "curveDuration") }
        guard let settled = given ?? curve.settlingTime(epsilon: maxError / 2) else {
            let reason = "leads to a spring that never settles, which no CSS easing can follow"
            throw .noCurve(parameter: "dampingRatio", reason: reason)
        }
        let unit = settled < 0.01 ? 1e6 : 1e3
        let duration = given ?? (settled * unit).rounded(.up) / unit
        guard durations.contains(duration) else {
            let reason = "would be \(duration.plain) s, which exceeds \(durations.upper.plain) s; give a shorter one"
            throw .noCurve(parameter: "curveDuration", reason: reason)
        }
        let residual = abs(1 - curve.position(at: duration))
        guard residual <= maxError * share else {
            let end = curve.settlingTime(epsilon: maxError * share)
            let advice = end.map { "; use at least \((($0 * 1000).rounded(.up) / 1000).plain) s" } ?? ""
            let reason = "ends while the spring is still \(residual.short) of the travel from its target\(advice)"
            throw .noCurve(parameter: "curveDuration", reason: reason)
        }
        return (duration, residual)
    }

    /// Searches positions in tenths of a percent first, and in hundredths if the curve turns too fast for those.
    private static func easing(_ curve: SpringCurve, _ duration: Double, _ maxError: Double, work: Int) -> (
        LinearEasing, Double
    )? {
        let margin = maxError * share
        let decimals = maxError <= 0.002 ? 4 : 3
        let unit = LinearEasing.unit(decimals: decimals)
        // Twenty values per column are enough for a wide corridor.
        let stride = Int.clamping((maxError / unit / 10 - 1e-9).rounded(.up), to: 1...1000)
        // A dip below the start is visible. It is allowed only if the spring itself dips by more than the error.
        let dips = curve.turns(from: 0, to: duration, atMost: 3).contains { $0.position < -margin }
        let least = dips ? -Double.infinity : 0
        for positions in [1000, 10_000] {
            let isCoarse = positions == 1000
            let density = isCoarse ? (maxError < 0.01 ? 4 : 2) : nil
            let corridor = Corridor(curve, duration: duration, margin: margin, columns: positions, density: density)
            let stride = isCoarse && decimals == 4 ? 1 : stride
            let links = FewestLinks(corridor: corridor, unit: unit, stride: stride, least: least)
            do throws(FewestLinks.TooMuchWork) {
                guard let stops = try links.stops(work: work) else { continue }
                let easing = LinearEasing(stops: stops, positions: positions, decimals: decimals)
                let error = easing.distance(to: curve, duration: duration)
                if error <= maxError { return (easing, error) }
            } catch {
                return nil
            }
        }
        return nil
    }

    /// The CSS rule.
    package var css: String {
        """
        /* \(spring.summary); \(easing.count) stops, at most \(measuredError.short) of the travel off */
        :root {
          --spring-duration: \((duration * 1000).snippet)ms;
          --spring-easing: \(fallback.css);
        }
        @supports (animation-timing-function: linear(0, 1)) {
          :root {
            --spring-easing: \(easing.css);
          }
        }
        /* transition: transform var(--spring-duration) var(--spring-easing); */

        """
    }
}
