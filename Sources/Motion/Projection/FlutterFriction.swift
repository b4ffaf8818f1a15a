import Glibc

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
