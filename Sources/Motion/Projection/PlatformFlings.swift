#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Android's flings: the exponential one (`exponentialDecay` of Compose) and the spline of scroll views.
package enum AndroidFling {
    /// Returns the distance of the exponential fling, v / (4.2 · friction), in the unit of the velocity times seconds.
    package static func exponentialDistance(velocity: Double, friction: Double) -> Double {
        velocity / (4.2 * friction)
    }

    /// A fling of an Android scroll view (`OverScroller.SplineOverScroller`).
    package struct Spline: Sendable, Equatable {
        /// Pixels, with the sign of the velocity.
        package let distance: Double
        /// Milliseconds, the unit of the platform.
        package let durationMs: Double

        /// - Parameters:
        ///   - velocity: pixels per second.
        ///   - density: pixels per density-independent pixel, above 0.
        ///   - friction: `ViewConfiguration.getScrollFriction()`, above 0; 0.015 by default.
        package init(velocity: Double, density: Double, friction: Double) {
            // Gravity (m/s²) in inches, at 160 dots per inch, times a look-and-feel factor.
            let resistance = 9.80665 * 39.37 * 160 * density * 0.84
            // The platform's `DECELERATION_RATE`.
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

/// Flutter's `FrictionSimulation` (physics/friction_simulation.dart): the velocity falls by `drag` every second.
package struct FlutterFriction: Sendable, Equatable {
    /// The share of the velocity that remains after a second; above 0, below 1.
    package let drag: Double

    /// - Throws: `MotionError.outOfRange` for a drag that is not between 0 and 1.
    package init(drag: Double) throws(MotionError) {
        self.drag = try ParameterRange(between: 0, and: 1).checked(drag, "drag")
    }

    /// Returns the position and the velocity (per second) `time` seconds after leaving `start`.
    package func state(at time: Double, start: Double, velocity: Double) -> SpringCurve.State {
        let logarithm = log(drag)
        return SpringCurve.State(
            position: start + velocity * expm1(logarithm * time) / logarithm,
            velocity: velocity * exp(logarithm * time)
        )
    }

    /// Returns the resting position.
    package func finalPosition(start: Double, velocity: Double) -> Double {
        start - velocity / log(drag)
    }
}

/// The `inertia` of Motion (motion-dom, inertia.ts): an exponential approach to `start + power · velocity`.
///
/// Its initial speed is `power · velocity / timeConstant`, with the defaults 2.46 times that of the finger.
package struct MotionInertia: Sendable, Equatable {
    /// The travelled share of the velocity (per second); 0.8 by default.
    package let power: Double
    /// Milliseconds in which the remaining distance falls to 1/e; above 0, 325 by default.
    package let timeConstantMs: Double

    package init(power: Double, timeConstantMs: Double) {
        self.power = power
        self.timeConstantMs = timeConstantMs
    }

    /// Returns the resting position.
    package func target(start: Double, velocity: Double) -> Double {
        start + power * velocity
    }

    /// Returns the position `timeMs` milliseconds after leaving `start`.
    package func position(atMs timeMs: Double, start: Double, velocity: Double) -> Double {
        start - power * velocity * expm1(-timeMs / timeConstantMs)
    }
}

/// The `decay` of react-spring (SpringValue.ts): an exponential with the rate 1 - decay per millisecond.
package struct ReactSpringDecay: Sendable, Equatable {
    /// Above 0, below 1; 0.998 by default.
    package let decay: Double

    /// - Throws: `MotionError.outOfRange` for a decay that is not between 0 and 1.
    package init(decay: Double) throws(MotionError) {
        self.decay = try ParameterRange(between: 0, and: 1).checked(decay, "decay")
    }

    /// Returns the position `time` seconds after leaving `start` with `velocity` per second.
    package func position(at time: Double, start: Double, velocity: Double) -> Double {
        start - velocity / rate * expm1(-rate * time)
    }

    /// Returns the distance from `velocity` (per second) to rest.
    package func distance(velocity: Double) -> Double {
        velocity / rate
    }

    /// Rate of the exponential per second.
    private var rate: Double { 1000 * (1 - decay) }
}
