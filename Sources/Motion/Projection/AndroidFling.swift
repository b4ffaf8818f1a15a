import Glibc

/// The flings of Android: an exponential one (`exponentialDecay` of Compose) and the spline of its scroll views.
package enum AndroidFling {
    /// Distance of the exponential fling: v / (4.2 · friction), in the unit of the velocity times seconds.
    package static func exponentialDistance(velocity: Double, friction: Double) -> Double {
        velocity / (4.2 * friction)
    }

    /// A fling as a scroll view of Android makes it (`OverScroller.SplineOverScroller`).
    package struct Spline: Sendable, Equatable {
        /// Pixels, with the sign of the velocity.
        package let distance: Double
        /// Milliseconds, as the platform counts.
        package let durationMs: Double

        /// - Parameters:
        ///   - velocity: pixels per second.
        ///   - density: pixels per density-independent pixel, above 0.
        ///   - friction: `ViewConfiguration.getScrollFriction()`, above 0; 0.015 unless changed.
        package init(velocity: Double, density: Double, friction: Double) {
            // Gravity (m/s²) in inches, at 160 dots an inch, times a look-and-feel factor.
            let resistance = 9.80665 * 39.37 * 160 * density * 0.84
            // The decay rate that makes the spline tense at 0.78 of 0.9.
            let rate = log(0.78) / log(0.9)
            guard velocity != 0 else {
                distance = 0
                durationMs = 0
                return
            }
            let deceleration = log(0.35 * abs(velocity) / (friction * resistance))
            let length = friction * resistance * exp(rate / (rate - 1) * deceleration)
            distance = velocity < 0 ? -length : length
            durationMs = 1000 * exp(deceleration / (rate - 1))
        }
    }
}
