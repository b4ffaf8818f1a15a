#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The flings of other platforms, with times in seconds and velocities per second, unless a name has another unit.
package enum PlatformFlings {
    /// Returns the distance of Android's exponential fling (`exponentialDecay` of Compose): v / (4.2 · friction).
    package static func androidExponential(velocity: Double, friction: Double) -> Double {
        velocity / (4.2 * friction)
    }

    /// Returns the fling of an Android scroll view (`OverScroller.SplineOverScroller`), with a distance in pixels.
    ///
    /// `velocity` is in pixels per second, and `density` in pixels per density-independent pixel, above 0. `friction` is
    /// `ViewConfiguration.getScrollFriction()`, above 0; 0.015 by default.
    package static func androidSpline(
        velocity: Double,
        density: Double,
        friction: Double
    ) -> (distance: Double, durationMs: Double) {
        guard velocity != 0 else { return (0, 0) }
        // Gravity (m/s²) in inches, at 160 dots per inch, times a look-and-feel factor.
        let resistance = 9.80665 * 39.37 * 160 * density * 0.84
        // The platform's `DECELERATION_RATE`.
        let rate = log(0.78) / log(0.9)
        let deceleration = log(0.35 * abs(velocity) / (friction * resistance))
        let length = friction * resistance * exp(rate / (rate - 1) * deceleration)
        return (velocity < 0 ? -length : length, 1000 * exp(deceleration / (rate - 1)))
    }

    /// Returns the moved distance and the velocity of Flutter's `FrictionSimulation` (physics/friction_simulation.dart).
    ///
    /// `drag` is the share of the velocity that remains after a second; above 0, below 1. The motion ends at `.infinity`.
    package static func flutterFriction(
        at time: Double,
        start: Double,
        velocity: Double,
        drag: Double
    ) -> SpringCurve.State {
        Deceleration.state(at: time, start: start, velocity: velocity, logarithm: log(drag))
    }

    /// Returns the position of Motion's `inertia` (motion-dom, inertia.ts), which approaches `start + power · velocity`.
    ///
    /// Its initial speed is `power · velocity / timeConstant`, with the defaults (0.8 and 325 ms) 2.46 times that of the
    /// finger. The remaining distance falls to 1/e in the time constant, which is above 0.
    package static func motionInertia(
        atMs timeMs: Double,
        start: Double,
        velocity: Double,
        power: Double,
        timeConstantMs: Double
    ) -> Double {
        start - power * velocity * expm1(-timeMs / timeConstantMs)
    }

    /// Returns the moved distance of react-spring's `decay` (SpringValue.ts): an exponential, 1 - decay per millisecond.
    ///
    /// `decay` is above 0 and below 1; 0.998 by default. The motion ends at `.infinity`.
    package static func reactSpringDecay(at time: Double, velocity: Double, decay: Double) -> Double {
        let rate = 1000 * (1 - decay)
        return -velocity / rate * expm1(-rate * time)
    }
}
