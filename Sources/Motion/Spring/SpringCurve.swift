/// The curve of an animation: a spring and the velocity it starts with, over a travel from 0 to 1.
package struct SpringCurve: Sendable, Hashable {
    package let spring: Spring
    /// Relative initial velocity in travels per second, positive towards the target.
    package let initialVelocity: Double
    /// The distance to the target, a motion about rest.
    let remaining: FreeMotion

    /// The curve of `spring` that starts with a finite velocity, in travels per second.
    package init(_ spring: Spring, initialVelocity: Double = 0) {
        self.spring = spring
        self.initialVelocity = initialVelocity
        remaining = FreeMotion(spring, displacement: 1, rate: -initialVelocity)
    }

    /// Where an animation is and how fast it moves.
    package struct State: Sendable, Equatable {
        package let position: Double
        /// The derivative of the position by seconds.
        package let velocity: Double

        package init(position: Double, velocity: Double) {
            self.position = position
            self.velocity = velocity
        }
    }

    /// Position (0 the start, 1 the target) and velocity (travels per second) at `time` seconds.
    package func state(at time: Double) -> State {
        let (distance, rate) = remaining.state(at: time)
        return State(position: 1 - distance, velocity: -rate)
    }

    /// Position (0 the start, 1 the target) at `time` seconds.
    package func position(at time: Double) -> Double {
        1 - remaining.displacement(at: time)
    }

    /// The velocity as a motion about rest: it obeys the same equation as the distance.
    var speed: FreeMotion {
        let frequency = spring.naturalFrequency
        return FreeMotion(
            spring,
            displacement: initialVelocity,
            rate: frequency * frequency - 2 * spring.decayRate * initialVelocity
        )
    }
}

extension Spring {
    /// Value (points) and velocity (points per second) at `time` seconds of a motion in absolute units.
    ///
    /// It also answers what relative velocities cannot: a motion that starts at its target with a velocity.
    package func state(
        at time: Double,
        start: Double,
        target: Double,
        velocity: Double
    ) -> SpringCurve.State {
        let (distance, rate) = FreeMotion(self, displacement: target - start, rate: -velocity).state(at: time)
        return SpringCurve.State(position: target - distance, velocity: -rate)
    }
}
