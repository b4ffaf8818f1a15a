extension Convention {
    /// Mass, stiffness and damping coefficient, as physics has them.
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
    /// The three parameters of physics, with a mass of 1 unless given.
    static let massStiffnessDamping: [ConventionParameter] = [
        .number("mass", in: .directPhysics, default: 1),
        .number("stiffness", in: .directPhysics),
        .number("damping", in: .directDamping),
    ]
}

extension ConventionValues {
    /// The spring of mass, stiffness and damping; `isCapped` holds it to critical, and says so.
    func physical(isCapped: Bool = false) throws(MotionError) -> ConventionReading {
        let spring = try Spring(mass: self["mass"], stiffness: self["stiffness"], damping: self["damping"])
        guard isCapped, spring.regime == .overdamped else { return ConventionReading(spring) }
        return ConventionReading(spring.critical, warnings: [.dampingCapped])
    }
}

extension SpringCurve {
    /// The members `mass`, `stiffness` and `damping` in the order and words of a platform, such as
    /// `mass: 1, stiffness: 100, damping: 10`.
    func physicalMembers(_ velocity: String? = nil) -> String {
        let members =
            "mass: \(spring.mass.snippet), stiffness: \(spring.stiffness.snippet), damping: \(spring.damping.snippet)"
        guard let velocity, initialVelocity != 0 else { return members }
        return "\(members), \(velocity): \(initialVelocity.snippet)"
    }

    /// The parameters of physics, for platforms that draw them as they are.
    func physicalWriting(snippet: String) -> ConventionWriting {
        ConventionWriting(
            ["mass": spring.mass, "stiffness": spring.stiffness, "damping": spring.damping],
            snippet: snippet,
            drawn: self
        )
    }

    /// The parameters of physics, for platforms that know no overdamped spring.
    func physicalWriting(criticalAtMost snippet: String) -> ConventionWriting {
        ConventionWriting(
            ["mass": spring.mass, "stiffness": spring.stiffness, "damping": spring.damping],
            snippet: snippet,
            drawn: atMostCritical,
            warnings: atMostCriticalWarnings
        )
    }

    /// The curve as a platform draws it that knows no overdamped spring.
    var atMostCritical: SpringCurve {
        spring.regime == .overdamped ? SpringCurve(spring.critical, initialVelocity: initialVelocity) : self
    }

    var atMostCriticalWarnings: [ConventionWarning] {
        spring.regime == .overdamped ? [.overdampedDrawnAsCritical] : []
    }
}
