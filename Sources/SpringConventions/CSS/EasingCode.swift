package import Motion

/// The source code of an easing for a library without springs.
///
/// A language has the formula of the curve, exact until the end. Web Animations have the stops of `linear()`.
package enum EasingCode: String, CaseIterable, Sendable {
    case gsap, android, flutter, waapi

    /// Returns the code of a curve, or throws as `LinearFit` does; `duration` in seconds is that of `linear()` by default.
    package func text(_ curve: SpringCurve, maxError: Double, duration: Double? = nil) throws(MotionError) -> String {
        let (duration, residual) = try LinearFit.end(of: curve, maxError: maxError, duration: duration)
        let velocity = curve.ifMoving(", initial velocity \(curve.initialVelocity.plain) travels per second")
        let (name, seconds) = (curve.spring.summary + velocity, duration.snippet)
        let header = """
            // Spring with \(name).
            // Within 1e-6 of the farthest distance until \(seconds) s, when it ends \(residual.short) of the travel before its target.
            """
        switch self {
        case .gsap:
            return """
                \(header)
                // gsap.to(element, { x: 300, duration, ease: spring });
                export const duration = \(seconds);
                export function spring(progress) {
                  const [{ exp, cos, sin }, t] = [Math, progress * duration];
                  return progress < 1 ? \(curve.formula) : 1;
                }

                """
        case .android:
            return """
                \(header)
                // animator.interpolator = SpringInterpolator
                // animator.duration = (SpringInterpolator.DURATION * 1000).toLong()
                \(Self.imports("android.view.animation.Interpolator", "kotlin.math.*"))

                object SpringInterpolator : Interpolator {
                    const val DURATION = \(seconds.contains { ".e".contains($0) } ? seconds : "\(seconds).0")

                    override fun getInterpolation(input: Float): Float {
                        val t = input * DURATION
                        return if (input < 1f) (\(curve.formula)).toFloat() else 1f
                    }
                }

                """
        case .flutter:
            return """
                \(header)
                // AnimationController(duration: SpringEasing.duration, vsync: this), and CurvedAnimation(curve: const SpringEasing())
                \(Self.imports("'dart:math';", "'package:flutter/animation.dart';"))

                class SpringEasing extends Curve {
                  const SpringEasing();

                  static const duration = Duration(microseconds: \((duration * 1e6).rounded().plain));

                  @override
                  double transformInternal(double progress) {
                    final t = progress * \(seconds);
                    return \(curve.formula);
                  }
                }

                """
        case .waapi:
            let fit = try LinearFit(curve, maxError: maxError, duration: duration)
            let places = fit.easing.positions == 1000 ? 3 : 4
            let stops = fit.easing.stops.map { stop in
                let offset = stop.position.decimal(places: places)
                return "[\(offset), \(stop.value.decimal(places: fit.easing.decimals))]"
            }
            return """
                // Spring with \(name): \(stops.count) keyframes, at most \(fit.measuredError.short) of the travel off.
                // element.animate(keyframes((share) => ({ translate: `${300 * share}px` })), { duration, easing: 'linear' });
                export const duration = \((duration * 1000).snippet);
                const stops = [\(stops.joined(separator: ", "))];
                export const keyframes = (look) => stops.map(([offset, share]) => ({ offset, ...look(share) }));

                """
        }
    }

    private static func imports(_ modules: String...) -> String {
        modules.map { "import \($0)" }.joined(separator: "\n")
    }
}

extension Spring {
    /// The spring as the text of a comment.
    package var summary: String { "damping ratio \(dampingRatio.plain), response \(response.plain) s" }
}

extension SpringCurve {
    /// The position after `t` seconds as an expression; the languages share the names `exp`, `cos` and `sin`.
    ///
    /// The constants have all digits, since a long oscillation shows the error of a frequency.
    fileprivate var formula: String {
        let (frequency, decay, slow) = (spring.naturalFrequency, spring.decayRate, spring.slowRate)
        switch spring.regime {
        case .undamped, .underdamped:
            let turn = spring.dampedFrequency
            let sine = "\(((decay - initialVelocity) / turn).plain) * sin(\(turn.plain) * t)"
            return "1 - exp(-\(decay.plain) * t) * (cos(\(turn.plain) * t) + \(sine))"
        case .critical:
            return "1 - exp(-\(frequency.plain) * t) * (1 + \((frequency - initialVelocity).plain) * t)"
        case .overdamped:
            // The difference of the two rates, which is exact however near they are.
            let gap = 2 * spring.split
            let share = ((slow - initialVelocity) / gap).plain
            return "1 - exp(-\(slow.plain) * t) * (1 + \(share) * (1 - exp(-\(gap.plain) * t)))"
        }
    }
}
