import Motion

extension Convention {
    static let physical = Convention(
        id: "physical",
        title: "Mass, stiffness, damping coefficient",
        source: "m x'' + c x' + k x = 0",
        parameters: .physical(allowsOverdamping: true),
        isInferred: true,
        snippet: { curve, _ in
            let spring = curve.spring
            return "m = \(spring.mass.snippet), k = \(spring.stiffness.snippet), c = \(spring.damping.snippet)"
        }
    )
}

extension SpringCurve {
    /// Returns code that only a curve with an initial velocity needs.
    func ifMoving(_ code: @autoclosure () -> String) -> String { initialVelocity == 0 ? "" : code() }
    var velocityMember: String { ifMoving(", velocity: \(initialVelocity.snippet)") }

    var drawnAtMostCritical: Convention.Drawing {
        (DrawnCurve(atMostCritical), spring.regime == .overdamped ? [.overdampedDrawnAsCritical] : [])
    }

    /// What React Native and Reanimated draw: an undamped spring is refused, too.
    var drawnIfDamped: Convention.Drawing {
        spring.regime == .undamped ? (nil, [.undampedRefused]) : drawnAtMostCritical
    }

    /// Returns the curve with the same mass and velocity, another finite ratio and another finite positive frequency.
    func with(ratio: Double, frequency: Double) -> SpringCurve {
        SpringCurve(Spring(ratio: ratio, frequency: frequency, mass: spring.mass), initialVelocity: initialVelocity)
    }

    /// Returns the curve of mass 1 with this stiffness (positive) and damping (not negative).
    func with(stiffness: Double, damping: Double) -> SpringCurve {
        let frequency = stiffness.squareRoot()
        return with(ratio: damping / (2 * frequency), frequency: frequency)
    }
}
