extension Convention {
    static let physical = Convention(
        id: "physical",
        title: "Mass, stiffness, damping coefficient",
        source: "m x'' + c x' + k x = 0",
        parameters: .physical(allowsOverdamping: true),
        isInferred: true,
        snippet: { curve in
            let spring = curve.spring
            return "m = \(spring.mass.snippet), k = \(spring.stiffness.snippet), c = \(spring.damping.snippet)"
        }
    )
}

extension SpringCurve {
    /// Returns mass, stiffness and damping as members in code, and the initial velocity if it has a name.
    func physicalMembers(_ velocity: String? = nil) -> String {
        let members =
            "mass: \(spring.mass.snippet), stiffness: \(spring.stiffness.snippet), damping: \(spring.damping.snippet)"
        return members + (velocity.map { ifMoving(", \($0): \(initialVelocity.snippet)") } ?? "")
    }

    /// Returns code that only a curve with an initial velocity needs.
    func ifMoving(_ code: @autoclosure () -> String) -> String { initialVelocity == 0 ? "" : code() }

    /// The curve that a platform without overdamped springs draws.
    var atMostCritical: SpringCurve {
        spring.regime == .overdamped ? SpringCurve(spring.critical, initialVelocity: initialVelocity) : self
    }

    var drawnAtMostCritical: Convention.Drawing {
        (atMostCritical, spring.regime == .overdamped ? [.overdampedDrawnAsCritical] : [])
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
