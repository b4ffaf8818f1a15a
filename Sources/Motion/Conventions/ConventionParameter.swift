/// A parameter of a convention: a number, or a flag that is 1 for true and 0 for false.
package struct ConventionParameter: Sendable, Equatable {
    package let name: String
    package var aliases: [String] = []
    /// The quantity of the spring that the parameter is; nil for another meaning.
    var quantity: SpringQuantity?
    package let range: ParameterRange
    /// The numbers with a meaning on the platform; out of `range` they are refused with `springOutOfRange`.
    let domain: ParameterRange
    package var unit: String?
    /// The default; nil for a parameter that a request must have.
    package let fallback: Double?
    package var isFlag: Bool { quantity == .allowsOverdamping }

    /// Creates a number in `range`, required unless there is a `fallback`; `domain` is given if it is more than the range.
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
            quantity: quantity,
            range: range,
            domain: domain ?? range,
            unit: unit,
            fallback: fallback
        )
    }

    /// Whether the parameter does not shape the curve, or only modifies the effect of the others.
    var isIncidental: Bool { isFlag || name == "mass" || name == "epsilon" }
    var names: [String] { [name] + aliases }
}

extension ConventionReading {
    /// Creates the spring of parameters that are its quantities: a stiffness or a response, and its damping.
    init(_ values: Convention.Values, of parameters: [ConventionParameter]) throws(MotionError) {
        func given(_ quantity: SpringQuantity) -> Double? {
            zip(parameters, values).first { $0.0.quantity == quantity }?.1.value
        }
        let mass = given(.mass) ?? 1
        let stiffness = given(.stiffness) ?? given(.origamiTension).map(Origami.stiffness)
        let damping = given(.damping) ?? given(.origamiFriction).map(Origami.damping)
        let response = given(.response) ?? given(.responseMs).map { $0 / 1000 }
        let spring: Spring
        switch (stiffness, response, damping, given(.dampingRatio), given(.bounce)) {
        case (let stiffness?, nil, let damping?, nil, nil):
            spring = try Spring(mass: mass, stiffness: stiffness, damping: damping)
        case (let stiffness?, nil, nil, let ratio?, nil):
            spring = try Spring(mass: mass, stiffness: stiffness, dampingRatio: .init(ratio))
        case (nil, let response?, nil, let ratio?, nil):
            spring = try Spring(dampingRatio: ratio, response: response)
        case (nil, let duration?, nil, nil, let bounce?):
            spring = try Spring(duration: duration, bounce: bounce)
        default: preconditionFailure("the quantities of a convention determine a spring")
        }
        let isCapped = given(.allowsOverdamping) == 0 && spring.regime == .overdamped
        self.init(spring: isCapped ? spring.critical : spring, warnings: isCapped ? [.dampingCapped] : [])
    }
}

/// A quantity of a spring, whatever its name in a convention.
enum SpringQuantity: Sendable {
    case mass, stiffness, damping, dampingRatio, response, responseMs, bounce, origamiTension, origamiFriction
    /// Whether the platform keeps a damping above the critical one; 1 or 0.
    case allowsOverdamping
}

extension Spring {
    /// Returns the values of parameters that are quantities; without a mass among them, the mass is 1.
    func values(of parameters: [ConventionParameter]) -> Convention.Values {
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
                case .allowsOverdamping: regime == .overdamped ? 1 : parameter.fallback
                case nil: nil
                }
            return value.map { (parameter.name, $0) }
        }
    }
}

extension ParameterRange {
    static let directRatio = ParameterRange(0...100)
    /// Responses in seconds: from the shortest accepted one to a minute.
    static let directResponse = ParameterRange(SpringRange.responses.lower...60)
    /// Responses in seconds that have a meaning.
    static let directPeriod = ParameterRange(above: 0, upTo: 60)
    /// Masses and stiffnesses, if both are given: squares and quotients of them keep full precision.
    static let directPhysics = ParameterRange(1e-9...1e12)
    static let directStiffness = ParameterRange(1e-8...1e10)
    /// Bounces by Apple's definition: towards -1 the settling time grows without bound.
    static let directBounce = ParameterRange(-0.999_999_999...1)
    /// Bounces that have a meaning.
    static let openBounce = ParameterRange(above: -1, upTo: 1)
    static let directDamping = ParameterRange(0...1e12)
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
        .number("duration", .response, in: .directResponse, of: .directPeriod, unit: "seconds"),
        .number("bounce", .bounce, in: .directBounce, of: .openBounce),
    ]
}
