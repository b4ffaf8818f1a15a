/// A parameter of a convention.
package struct ConventionParameter: Sendable, Equatable {
    /// What may stand in a parameter, and what stands there when it is left away.
    package enum Kind: Sendable, Equatable {
        case number(ParameterRange, default: Double?)
        case flag(default: Bool)
    }

    package let name: String
    /// Other names that requests may use.
    package let aliases: [String]
    package let kind: Kind
    /// The unit in words; nil for a plain number or a flag.
    package let unit: String?
    /// The numbers that the platform gives a meaning; those outside of the range mean springs out of `SpringRange`.
    let domain: ParameterRange

    /// A number in `range`, which has to be given unless there is a `fallback`.
    ///
    /// `domain` are the numbers that have a meaning, where these are more than the range: a number in the domain and not
    /// in the range is refused as `MotionError.springOutOfRange`.
    static func number(
        _ name: String,
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
            domain: domain ?? range
        )
    }

    /// A switch.
    static func flag(_ name: String, default fallback: Bool) -> ConventionParameter {
        ConventionParameter(name: name, aliases: [], kind: .flag(default: fallback), unit: nil, domain: .finite)
    }

    /// Whether a request that leaves it away is refused.
    package var isRequired: Bool {
        if case .number(_, default: nil) = kind { true } else { false }
    }

    /// Whether it is a number and not a flag.
    var isNumber: Bool {
        if case .number = kind { true } else { false }
    }

    /// Whether the shape of the curve does not depend on it, or it only corrects what the others say.
    var isIncidental: Bool {
        if case .flag = kind { true } else { name == "mass" || name == "epsilon" }
    }

    /// Returns whether `name` is the name or an alias of the parameter.
    func isNamed(_ name: String) -> Bool {
        self.name == name || aliases.contains(name)
    }
}

/// What a parameter of a convention may be set to.
package enum ConventionValue: Sendable, Equatable {
    case number(Double)
    case flag(Bool)
}

extension ConventionParameter {
    /// The value that a request gave, or the default, checked.
    func value(in given: [String: ConventionValue], convention: String) throws(MotionError) -> ConventionValue {
        // Errors name the parameter as the request does.
        let name = ([name] + aliases).first { given[$0] != nil } ?? name
        switch (kind, given[name]) {
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

/// The parameters of a convention, all there, each in its range.
package struct ConventionValues: Sendable {
    private var entries: [(name: String, value: ConventionValue)] = []

    /// Checks what a request gave and fills in the defaults.
    ///
    /// - Throws: `MotionError`, among them `springOutOfRange` for all numbers that no spring in the range has.
    init(_ given: [String: ConventionValue], of convention: Convention) throws(MotionError) {
        for name in given.keys.sorted() where !convention.hasParameter(name) {
            let known = convention.parameters.map(\.name)
            throw .unknownParameter(name, convention: convention.id, known: known)
        }
        var findings: [SpringRange.Finding] = []
        for parameter in convention.parameters {
            let names = ([parameter.name] + parameter.aliases).filter { given[$0] != nil }
            guard names.count < 2 else { throw .contradiction(parameters: names) }
            let value = try parameter.value(in: given, convention: convention.id)
            entries.append((parameter.name, value))
            if case (.number(let range, _), .number(let number)) = (parameter.kind, value), !range.contains(number) {
                findings.append(.init(parameter: names.first ?? parameter.name, reason: "must be \(range)"))
            }
        }
        guard findings.isEmpty else { throw .springOutOfRange(findings) }
    }

    /// The number of a parameter that the convention declares as one.
    subscript(name: String) -> Double {
        guard case .number(let number)? = value(name) else { preconditionFailure("\(name) is no number") }
        return number
    }

    /// The flag of a parameter that the convention declares as one.
    func flag(_ name: String) -> Bool {
        guard case .flag(let flag)? = value(name) else { preconditionFailure("\(name) is no flag") }
        return flag
    }

    private func value(_ name: String) -> ConventionValue? {
        entries.first { $0.name == name }?.value
    }
}

extension ParameterRange {
    /// Damping ratios of direct input.
    static let directRatio = ParameterRange(0...100)
    /// Responses of direct input in seconds: from the shortest that is accepted to a minute.
    static let directResponse = ParameterRange(SpringRange.responses.lower...60)
    /// Responses of direct input that have a meaning.
    static let directPeriod = ParameterRange(above: 0, upTo: 60)
    /// Masses and stiffnesses of direct input, where both are given: as wide as squares and quotients stay doubles of
    /// full precision.
    static let directPhysics = ParameterRange(1e-9...1e12)
    /// Stiffnesses of direct input at a mass of 1.
    static let directStiffness = ParameterRange(1e-8...1e10)
    /// Bounces of direct input, for Apple's meaning of the word: towards -1 the spring creeps for longer and longer.
    static let directBounce = ParameterRange(-0.999_999_999...1)
    /// Bounces of direct input that have a meaning.
    static let openBounce = ParameterRange(above: -1, upTo: 1)
    /// Damping coefficients of direct input.
    static let directDamping = ParameterRange(0...1e12)
}
