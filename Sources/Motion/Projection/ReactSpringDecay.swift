import Glibc

/// The `decay` of react-spring (SpringValue.ts): an exponential with the rate 1 - decay per millisecond.
package struct ReactSpringDecay: Sendable, Equatable {
    /// Above 0, below 1; 0.998 by default.
    package let decay: Double

    /// - Throws: `MotionError.outOfRange` for a decay that is not between 0 and 1.
    package init(decay: Double = 0.998) throws(MotionError) {
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
