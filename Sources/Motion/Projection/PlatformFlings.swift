import CMathematics
import Primitives

/// A fling of another platform that comes to an end, in its unit: points or pixels.
package struct PlatformFling: Sendable {
    package let distance: Double
    package let durationMs: Double
    /// Returns the share of the distance that the fling has moved after a share of its duration.
    private let share: @Sendable (Double) -> Double

    package func position(atMs timeMs: Double) -> Double {
        timeMs < durationMs ? distance * share(timeMs / durationMs) : distance * share(1)
    }
}

extension PlatformFling {
    /// The fling of `exponentialDecay` of Compose, which ends at a speed of `threshold` per second.
    ///
    /// Without its end the distance would be v / (4.2 · friction) (FloatDecayAnimationSpec.kt, `getTargetValue`). Compose
    /// raises a friction below 0.0001 and a threshold below 0.0000001.
    package static func androidExponential(velocity: Double, friction: Double, threshold: Double) -> PlatformFling {
        let (friction, threshold) = (max(1e-4, friction), max(1e-7, threshold))
        let decades = max(0, log(abs(velocity) / threshold))
        let share = -expm1(-decades)
        return PlatformFling(
            distance: velocity / (4.2 * friction) * share,
            durationMs: 1000 * decades / (4.2 * friction)
        ) { share > 0 ? -expm1(-decades * $0) / share : 0 }
    }

    /// The fling of an Android scroll view (`OverScroller.SplineOverScroller`), with a distance in pixels.
    ///
    /// `velocity` is in pixels per second, and `density` in pixels per density-independent pixel, above 0. `friction` is
    /// `ViewConfiguration.getScrollFriction()`, above 0; 0.015 by default. The platform rounds to whole pixels.
    package static func androidSpline(velocity: Double, density: Double, friction: Double) -> PlatformFling {
        guard velocity != 0 else { return PlatformFling(distance: 0, durationMs: 0) { $0 } }
        // Gravity (m/s²) in inches, at 160 dots per inch, times a look-and-feel factor.
        let resistance = 9.80665 * 39.37 * 160 * density * 0.84
        let deceleration = log(inflexion * abs(velocity) / (friction * resistance))
        let length = friction * resistance * exp(rate / (rate - 1) * deceleration)
        let duration = 1000 * exp(deceleration / (rate - 1))
        return PlatformFling(distance: velocity < 0 ? -length : length, durationMs: duration) { share in
            let index = Int.clamping(share * 100, to: 0...99)
            return spline[index] + (share * 100 - Double(index)) * (spline[index + 1] - spline[index])
        }
    }

    /// Flutter's `ClampingScrollSimulation` (widgets/scroll_simulation.dart): the distance of Android's, but ballistic.
    package static func flutterClamping(velocity: Double, friction: Double) -> PlatformFling {
        let android = androidSpline(velocity: velocity, density: 1, friction: friction)
        return PlatformFling(distance: android.distance, durationMs: rate * inflexion * android.durationMs) {
            1 - pow(1 - $0, rate)
        }
    }

    /// Android's `DECELERATION_RATE` and `INFLEXION`.
    private static let rate = log(0.78) / log(0.9)
    private static let inflexion = 0.35

    /// Android's `SPLINE_POSITION`: positions of a Bézier curve at hundredths of its time, with lines between them.
    private static let spline = (0...100).map { sample in
        func bezier(_ x: Double, _ first: Double, _ second: Double) -> Double {
            3 * x * (1 - x) * ((1 - x) * first + x * second) + x * x * x
        }
        let x = bisect(0, 1) { bezier($0, 0.5 * inflexion, inflexion) <= Double(sample) / 100 }
        return bezier(x, 0.5, 1)
    }
}

extension Deceleration {
    /// Returns the state of Flutter's `BouncingScrollSimulation` (widgets/scroll_simulation.dart).
    ///
    /// From an end of its range on the content follows a spring, with at most 5000 points per second. Times are in seconds.
    package static func flutterBouncing(
        at time: Double,
        start: Double,
        velocity: Double,
        extent: ClosedRange<Double>
    ) -> SpringCurve.State {
        let logarithm = log(0.135)
        func free(_ time: Double) -> SpringCurve.State {
            state(at: time, start: start, velocity: velocity, logarithm: logarithm)
        }
        let isInside = extent ~= start
        let end = isInside ? free(.infinity).position : start
        guard !extent.contains(end) else { return free(time) }
        let edge = end < extent.lowerBound ? extent.lowerBound : extent.upperBound
        let reached = isInside ? log1p(logarithm * (edge - start) / velocity) / logarithm : 0
        guard time > reached else { return free(time) }
        let speed = isInside ? min(free(reached).velocity, 5000) : velocity
        let spring = Spring(ratio: 1.1, frequency: (100 / 0.5).squareRoot(), mass: 0.5)
        return spring.state(at: time - reached, start: isInside ? edge : start, target: edge, velocity: speed)
    }
}
