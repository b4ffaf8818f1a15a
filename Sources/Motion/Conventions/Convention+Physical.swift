extension Convention {
    /// Mass, stiffness and damping coefficient.
    static let physical = Convention(
        id: "physical",
        title: "Mass, stiffness, damping coefficient",
        source: "m x'' + c x' + k x = 0",
        parameters: .massStiffnessDamping + [.flag("allowOverDamping", default: true)],
        isInferred: true,
        read: { values throws(MotionError) in
            try values.physical(isCapped: !values.flag("allowOverDamping"))
        },
        write: { curve in
            let spring = curve.spring
            return ConventionWriting(
                ["mass": spring.mass, "stiffness": spring.stiffness, "damping": spring.damping],
                flags: ["allowOverDamping": true],
                snippet: "m = \(spring.mass.snippet), k = \(spring.stiffness.snippet), c = \(spring.damping.snippet)",
                drawn: curve
            )
        }
    )
}

extension [ConventionParameter] {
    /// The three physical parameters.
    ///
    /// The mass defaults to 1.
    static let massStiffnessDamping: [ConventionParameter] = [
        .number("mass", in: .directPhysics, default: 1),
        .number("stiffness", in: .directPhysics),
        .number("damping", in: .directDamping),
    ]
}

extension ConventionValues {
    /// Returns the spring with mass, stiffness and damping.
    ///
    /// `isCapped` limits it to critical damping and adds a warning.
    func physical(isCapped: Bool = false) throws(MotionError) -> ConventionReading {
        let spring = try Spring(mass: self["mass"], stiffness: self["stiffness"], damping: self["damping"])
        guard isCapped, spring.regime == .overdamped else { return ConventionReading(spring) }
        return ConventionReading(spring.critical, warnings: [.dampingCapped])
    }
}

extension SpringCurve {
    /// Returns the members `mass`, `stiffness` and `damping` as code, such as `mass: 1, stiffness: 100, damping: 10`.
    func physicalMembers(_ velocity: String? = nil) -> String {
        let members =
            "mass: \(spring.mass.snippet), stiffness: \(spring.stiffness.snippet), damping: \(spring.damping.snippet)"
        guard let velocity, initialVelocity != 0 else { return members }
        return "\(members), \(velocity): \(initialVelocity.snippet)"
    }

    /// Returns the physical parameters for a platform that draws them unchanged.
    func physicalWriting(snippet: String) -> ConventionWriting {
        ConventionWriting(
            ["mass": spring.mass, "stiffness": spring.stiffness, "damping": spring.damping],
            snippet: snippet,
            drawn: self
        )
    }

    /// Returns the physical parameters for a platform without overdamped springs.
    func physicalWriting(criticalAtMost snippet: String) -> ConventionWriting {
        ConventionWriting(
            ["mass": spring.mass, "stiffness": spring.stiffness, "damping": spring.damping],
            snippet: snippet,
            drawn: atMostCritical,
            warnings: atMostCriticalWarnings
        )
    }

    /// The curve that a platform without overdamped springs draws.
    var atMostCritical: SpringCurve {
        spring.regime == .overdamped ? SpringCurve(spring.critical, initialVelocity: initialVelocity) : self
    }

    var atMostCriticalWarnings: [ConventionWarning] {
        spring.regime == .overdamped ? [.overdampedDrawnAsCritical] : []
    }
}
