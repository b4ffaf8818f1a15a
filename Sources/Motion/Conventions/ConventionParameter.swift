/// A parameter of a convention.
package struct ConventionParameter: Sendable, Equatable {
    /// The type of a parameter and its default value.
    package enum Kind: Sendable, Equatable {
        case number(ParameterRange, default: Double?)
        case flag(default: Bool)
    }

    package let name: String
    /// Alternative names in requests.
    package let aliases: [String]
    package let kind: Kind
    /// The name of the unit; nil for a dimensionless number or a flag.
    package let unit: String?
    /// The numbers with a meaning on the platform.
    ///
    /// Those outside of the range lead to springs out of `SpringRange`.
    let domain: ParameterRange
    /// The quantity of the spring that the parameter is; nil for another meaning.
    var quantity: SpringQuantity?

    /// Creates a number in `range`, required unless there is a `fallback`.
    ///
    /// `domain` contains all numbers with a meaning, if these are more than the range. A number in the domain but not
    /// in the range is refused with `MotionError.springOutOfRange`.
    static func number(
        _ name: String,
        _ quantity: SpringQuantity? = nil,
        aliases: [String] = [],
        in range: ParameterRange,
        of domain: ParameterRange? = nil,
        unit: String? = nil,
        default fallback: Double? = nil
    ) -> ConventionParameter {
        ConventionParameter(
            name: name,
            aliases: aliases,
            kind: .number(range, default: fallback),
            unit: unit,
            domain: domain ?? range,
            quantity: quantity
        )
    }

    /// Creates a flag.
    static func flag(_ name: String, default fallback: Bool) -> ConventionParameter {
        ConventionParameter(name: name, aliases: [], kind: .flag(default: fallback), unit: nil, domain: .finite)
    }

    /// Whether a request without this parameter is refused.
    package var isRequired: Bool {
        if case .number(_, default: nil) = kind { true } else { false }
    }

    var isNumber: Bool {
        if case .number = kind { true } else { false }
    }

    /// Whether the parameter does not shape the curve, or only modifies the effect of the others.
    var isIncidental: Bool {
        if case .flag = kind { true } else { name == "mass" || name == "epsilon" }
    }

    /// The name and the aliases.
    var names: [String] { [name] + aliases }

    /// Returns whether `name` is the name or an alias of the parameter.
    func isNamed(_ name: String) -> Bool { names.contains(name) }
}

/// The value of a parameter.
package enum ConventionValue: Sendable, Equatable {
    case number(Double)
    case flag(Bool)
}

extension ConventionParameter {
    /// Returns the value that a request gives under a name, or the default, after checking it.
    func value(_ given: ConventionValue?, named name: String, convention: String) throws(MotionError) -> ConventionValue
    {
        switch (kind, given) {
        case (.number(let range, _), .number(let number)?):
            guard domain.contains(number) else {
                throw .outOfRange(parameter: name, value: number, allowed: range)
            }
            return .number(number)
        case (.number(_, let fallback?), nil):
            return .number(fallback)
        case (.flag, .flag(let flag)?):
            return .flag(flag)
        case (.flag(let fallback), nil):
            return .flag(fallback)
        case (.number(_, nil), nil):
            throw .missingParameter(name, convention: convention)
        case (.number, .flag?):
            throw .wrongKind(parameter: name, expected: "a number")
        case (.flag, .number?):
            throw .wrongKind(parameter: name, expected: "`true` or `false`")
        }
    }
}

/// The complete parameters of a convention, each in its range.
package struct ConventionValues: Sendable {
    private var entries: [(name: String, value: ConventionValue)] = []

    /// Checks the parameters of a request and adds the defaults.
    ///
    /// - Throws: `MotionError`, including `springOutOfRange` for all numbers that lead out of the range.
    init(_ given: [String: ConventionValue], of convention: Convention) throws(MotionError) {
        for name in given.keys.sorted() where !convention.hasParameter(name) {
            let known = convention.parameters.map(\.name)
            throw .unknownParameter(name, convention: convention.id, known: known)
        }
        var findings: [SpringRange.Finding] = []
        for parameter in convention.parameters {
            let names = parameter.names.filter { given[$0] != nil }
            guard names.count < 2 else { throw .contradiction(parameters: names) }
            // Errors use the name from the request.
            let name = names.first ?? parameter.name
            let value = try parameter.value(given[name], named: name, convention: convention.id)
            entries.append((parameter.name, value))
            if case (.number(let range, _), .number(let number)) = (parameter.kind, value), !range.contains(number) {
                findings.append(.init(parameter: name, reason: "must be \(range)"))
            }
        }
        guard findings.isEmpty else { throw .springOutOfRange(findings) }
    }

    /// Returns the number of a parameter, which must be a number of the convention.
    subscript(name: String) -> Double {
        guard case .number(let number)? = value(name) else { preconditionFailure("\(name) is not a number") }
        return number
    }

    /// Returns the flag of a parameter, which must be a flag of the convention.
    func flag(_ name: String) -> Bool {
        guard case .flag(let flag)? = value(name) else { preconditionFailure("\(name) is not a flag") }
        return flag
    }

    private func value(_ name: String) -> ConventionValue? {
        entries.first { $0.name == name }?.value
    }
}

/// A quantity of a spring, whatever its name in a convention.
enum SpringQuantity: Sendable {
    case mass, stiffness, damping, dampingRatio, response, responseMs, bounce, origamiTension, origamiFriction
}

extension ConventionValues {
    /// Returns the spring of parameters that are its quantities: a stiffness or a response, and its damping.
    func spring(of parameters: [ConventionParameter]) throws(MotionError) -> Spring {
        func given(_ quantity: SpringQuantity) -> Double? {
            parameters.first { $0.quantity == quantity }.map { self[$0.name] }
        }
        let mass = given(.mass) ?? 1
        let stiffness = given(.stiffness) ?? given(.origamiTension).map(Origami.stiffness)
        let damping = given(.damping) ?? given(.origamiFriction).map(Origami.damping)
        let response = given(.response) ?? given(.responseMs).map { $0 / 1000 }
        switch (stiffness, response, damping, given(.dampingRatio), given(.bounce)) {
        case (let stiffness?, nil, let damping?, nil, nil):
            return try Spring(mass: mass, stiffness: stiffness, damping: damping)
        case (let stiffness?, nil, nil, let ratio?, nil):
            return try Spring(mass: mass, stiffness: stiffness, dampingRatio: try Spring.DampingRatio(ratio))
        case (nil, let response?, nil, let ratio?, nil):
            return Spring(dampingRatio: try Spring.DampingRatio(ratio), response: try Spring.Response(response))
        case (nil, let duration?, nil, nil, let bounce?):
            return try Spring(duration: duration, bounce: bounce)
        default: preconditionFailure("the quantities of a convention determine a spring")
        }
    }
}

extension Spring {
    /// Returns the values of parameters that are quantities; without a mass among them, the mass is 1.
    func values(of parameters: [ConventionParameter]) -> [(String, Double)] {
        let hasMass = parameters.contains { $0.quantity == .mass }
        return parameters.compactMap { parameter in
            let value: Double? =
                switch parameter.quantity {
                case .mass: mass
                case .stiffness: hasMass ? stiffness : unitMassStiffness
                case .damping: hasMass ? damping : unitMassDamping
                case .dampingRatio: dampingRatio
                case .response: response
                case .responseMs: response * 1000
                case .bounce: bounce
                case .origamiTension: origamiTension
                case .origamiFriction: origamiFriction
                case nil: nil
                }
            return value.map { (parameter.name, $0) }
        }
    }
}

extension ParameterRange {
    /// Damping ratios.
    static let directRatio = ParameterRange(0...100)
    /// Responses in seconds: from the shortest accepted one to a minute.
    static let directResponse = ParameterRange(SpringRange.responses.lower...60)
    /// Responses in seconds that have a meaning.
    static let directPeriod = ParameterRange(above: 0, upTo: 60)
    /// Masses and stiffnesses, if both are given.
    ///
    /// Squares and quotients of them keep full precision.
    static let directPhysics = ParameterRange(1e-9...1e12)
    /// Stiffnesses at a mass of 1.
    static let directStiffness = ParameterRange(1e-8...1e10)
    /// Bounces by Apple's definition.
    ///
    /// Towards -1 the settling time grows without bound.
    static let directBounce = ParameterRange(-0.999_999_999...1)
    /// Bounces that have a meaning.
    static let openBounce = ParameterRange(above: -1, upTo: 1)
    /// Damping coefficients.
    static let directDamping = ParameterRange(0...1e12)
}
