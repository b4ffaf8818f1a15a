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

/// Flutter's `FrictionSimulation` (physics/friction_simulation.dart): the velocity falls by `drag` every second.
package struct FlutterFriction: Sendable, Equatable {
    /// What is left of the velocity after a second; above 0, below 1.
    package let drag: Double

    /// - Throws: `MotionError.outOfRange` for a drag that is not between 0 and 1.
    package init(drag: Double) throws(MotionError) {
        self.drag = try ParameterRange(between: 0, and: 1).checked(drag, "drag")
    }

    /// Position and velocity (per second) `time` seconds after leaving `start`.
    package func state(at time: Double, start: Double, velocity: Double) -> SpringCurve.State {
        let logarithm = log(drag)
        return SpringCurve.State(
            position: start + velocity * expm1(logarithm * time) / logarithm,
            velocity: velocity * exp(logarithm * time)
        )
    }

    /// Where it comes to rest.
    package func finalPosition(start: Double, velocity: Double) -> Double {
        start - velocity / log(drag)
    }
}

/// The `inertia` of Motion (motion-dom, inertia.ts): an exponential approach to `start + power · velocity`.
///
/// The speed it sets out with is `power · velocity / timeConstant`, at its defaults 2.46 times the finger's.
package struct MotionInertia: Sendable, Equatable {
    /// The share of the velocity (per second) that is travelled; 0.8 by default.
    package let power: Double
    /// Milliseconds in which the distance left falls to 1/e; above 0, 325 by default.
    package let timeConstantMs: Double

    package init(power: Double, timeConstantMs: Double) {
        self.power = power
        self.timeConstantMs = timeConstantMs
    }

    /// Where it comes to rest.
    package func target(start: Double, velocity: Double) -> Double {
        start + power * velocity
    }

    /// Position `timeMs` milliseconds after leaving `start`.
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

    /// Position `time` seconds after leaving `start` with `velocity` per second.
    package func position(at time: Double, start: Double, velocity: Double) -> Double {
        start - velocity / rate * expm1(-rate * time)
    }

    /// How far `velocity` (per second) goes until rest.
    package func distance(velocity: Double) -> Double {
        velocity / rate
    }

    /// Rate of the exponential per second.
    private var rate: Double { 1000 * (1 - decay) }
}
