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

    func answers(to name: String) -> Bool {
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
