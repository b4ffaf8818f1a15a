import Glibc

/// The `inertia` of Motion (motion-dom, inertia.ts): an exponential approach to `start + power · velocity`.
///
/// The speed it sets out with is `power · velocity / timeConstant`, at its defaults 2.46 times the finger's.
package struct MotionInertia: Sendable, Equatable {
    /// The share of the velocity (per second) that is travelled; 0.8 by default.
    package let power: Double
    /// Milliseconds in which the distance left falls to 1/e; above 0, 325 by default.
    package let timeConstantMs: Double

    package init(power: Double = 0.8, timeConstantMs: Double = 325) {
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
