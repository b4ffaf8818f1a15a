package import Motion

/// A parameter of a convention: a number, or a flag that is 1 for true and 0 for false.
package struct ConventionParameter: Sendable, Equatable {
    package let name: String
    package var aliases: [String] = []
    /// The quantity of the spring that the parameter is; nil for another meaning.
    var quantity: SpringQuantity?
    package let range: ParameterRange
    /// The numbers with a meaning on the platform; out of `range` they are refused with `springOutOfRange`.
    let domain: ParameterRange
    /// The numbers to which the platform limits a quantity silently.
    var limit: ParameterRange?
    /// The default; nil for a parameter that a request must have.
    package private(set) var fallback: Double?
    package var unit: String? { quantity?.isTime == true ? (isInMilliseconds ? "milliseconds" : "seconds") : nil }
    var isInMilliseconds: Bool { name.hasSuffix("Ms") }
    package var isFlag: Bool { quantity == .allowsOverdamping || quantity == .clampsOvershoot }

    /// Creates a number in `range`, required unless there is a `fallback`; `domain` is given if it is more than the range.
    static func number(
        _ name: String,
        _ quantity: SpringQuantity? = nil,
        aliases: [String] = [],
        in range: ParameterRange,
        of domain: ParameterRange? = nil,
        limit: ParameterRange? = nil,
        default fallback: Double? = nil
    ) -> ConventionParameter {
        var parameter = ConventionParameter(name: name, quantity: quantity, range: range, domain: domain ?? range)
        (parameter.aliases, parameter.limit, parameter.fallback) = (aliases, limit, fallback)
        return parameter
    }

    /// Returns the value that the platform uses.
    func limited(_ value: Double) -> Double { limit?.clamped(value) ?? value }
    /// Whether the parameter does not shape the curve, or only modifies the effect of the others.
    var isIncidental: Bool { isFlag || name == "mass" || name == "epsilon" }
    package var names: [String] { [name] + aliases }
}

extension ParameterRange {
    static let directRatio = ParameterRange(0...100)
    /// Ratios of springs that come to rest.
    static let openRatio = ParameterRange(above: 0, upTo: 100)
    /// Responses in seconds: from the shortest accepted one to a minute.
    static let directResponse = ParameterRange(SpringRange.responses.lower...60)
    static let directPeriod = ParameterRange(above: 0, upTo: 60)
    static let directSettling = ParameterRange(above: 0, upTo: 1e6)
    static let directMilliseconds = ParameterRange(above: 0, upTo: 1e9)
    /// Masses and stiffnesses, if both are given: squares and quotients of them keep full precision.
    static let directPhysics = ParameterRange(1e-9...1e12)
    static let directStiffness = ParameterRange(1e-8...1e10)
    /// Bounces by Apple's definition: towards -1 the settling time grows without bound.
    static let directBounce = ParameterRange(-0.999_999_999...1)
    static let openBounce = ParameterRange(above: -1, upTo: 1)
    static let directDamping = ParameterRange(0...1e12)
    static let directEpsilon = ParameterRange(1e-12...0.5)
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

    /// Returns the physical parameters, and the flag without which a damping is at most critical.
    static func physical(allowsOverdamping: Bool) -> [ConventionParameter] {
        let fallback = allowsOverdamping ? 1.0 : 0
        return massStiffnessDamping() + [
            .number("allowOverDamping", .allowsOverdamping, in: ParameterRange(0...1), default: fallback)
        ]
    }

    static let durationBounce: [ConventionParameter] = [
        .number("duration", .response, in: .directResponse, of: .directPeriod),
        .number("bounce", .bounce, in: .directBounce, of: .openBounce),
    ]
}
