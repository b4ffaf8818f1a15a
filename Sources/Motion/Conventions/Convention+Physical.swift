extension Convention {
    /// Mass, stiffness and damping coefficient.
    static let physical = Convention(
        id: "physical",
        title: "Mass, stiffness, damping coefficient",
        source: "m x'' + c x' + k x = 0",
        parameters: .massStiffnessDamping() + [.flag("allowOverDamping", default: true)],
        isInferred: true,
        read: { values throws(MotionError) in try values.physical() },
        write: { curve in
            let spring = curve.spring
            return ConventionWriting(
                [("mass", spring.mass), ("stiffness", spring.stiffness), ("damping", spring.damping)],
                flags: [("allowOverDamping", true)],
                snippet: "m = \(spring.mass.snippet), k = \(spring.stiffness.snippet), c = \(spring.damping.snippet)",
                drawn: curve
            )
        }
    )
}

extension [ConventionParameter] {
    /// Returns the three physical parameters with the defaults of a platform.
    static func massStiffnessDamping(
        defaults mass: Double = 1,
        _ stiffness: Double? = nil,
        _ damping: Double? = nil
    ) -> [ConventionParameter] {
        [
            .number("mass", .mass, in: .directPhysics, default: mass),
            .number("stiffness", .stiffness, in: .directPhysics, default: stiffness),
            .number("damping", .damping, in: .directDamping, default: damping),
        ]
    }
}

extension ConventionValues {
    /// Returns the spring with mass, stiffness and damping, at most critical unless `allowOverDamping` is true.
    func physical() throws(MotionError) -> ConventionReading {
        let spring = try Spring(mass: self["mass"], stiffness: self["stiffness"], damping: self["damping"])
        guard !flag("allowOverDamping"), spring.regime == .overdamped else { return ConventionReading(spring) }
        return ConventionReading(spring.critical, warnings: [.dampingCapped])
    }
}

extension SpringCurve {
    /// Returns the members `mass`, `stiffness` and `damping` as code, such as `mass: 1, stiffness: 100, damping: 10`.
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

    var atMostCriticalWarnings: [ConventionWarning] {
        spring.regime == .overdamped ? [.overdampedDrawnAsCritical] : []
    }

    var drawnAtMostCritical: Convention.Drawing { (atMostCritical, atMostCriticalWarnings) }
}
