import CMathematics
import Motion

/// A quantity of a spring, whatever its name in a convention.
enum SpringQuantity: Sendable {
    case mass, stiffness, damping, origamiTension, origamiFriction
    /// The damping ratio, and quantities that determine it.
    case dampingRatio, bounce, overshoot
    case response, visualDuration
    /// The time after which the convention's `phase` is reached, and the threshold for it.
    case duration, epsilon
    /// Flags, 1 or 0: whether the platform keeps a damping above the critical one, and draws nothing beyond the target.
    case allowsOverdamping, clampsOvershoot

    /// Returns the damping ratio for a value of this quantity; nil for a quantity that does not determine it.
    fileprivate func ratio(_ value: Double) -> Double? {
        switch self {
        case .dampingRatio: value
        case .bounce: value >= 0 ? 1 - value : 1 / (1 + value)
        case .overshoot: value > 0 ? -log(value) / hypot(.pi, log(value)) : 1
        default: nil
        }
    }

    /// Returns the value of this quantity for a damping ratio; nil for a quantity that does not determine it.
    fileprivate func value(ofRatio ratio: Double) -> Double? {
        switch self {
        case .dampingRatio: ratio
        case .bounce: ratio <= 1 ? 1 - ratio : 1 / ratio - 1
        case .overshoot: ratio < 1 ? exp(-.pi * ratio / ((1 - ratio) * (1 + ratio)).squareRoot()) : 0
        default: nil
        }
    }

    var isTime: Bool { self == .response || self == .visualDuration || self == .duration }

    fileprivate var limitWarning: ConventionWarning {
        switch self {
        case .mass: .massLimited
        case .stiffness: .stiffnessCapped
        case .damping: .dampingCapped
        case .dampingRatio, .bounce, .overshoot: .ratioLimited
        default: .durationLimited
        }
    }
}

extension ConventionReading {
    /// Creates the spring of parameters that are its quantities: a stiffness, a response or a duration, and its damping.
    init(_ values: Convention.Values, of convention: Convention) throws(MotionError) {
        var quantities: [SpringQuantity: Double] = [:]
        var ratio: Double?
        for (parameter, (_, value)) in zip(convention.parameters, values) {
            guard let quantity = parameter.quantity else { continue }
            let limited = parameter.limited(value)
            quantities[quantity] = parameter.isInMilliseconds ? limited / 1000 : limited
            ratio = quantity.ratio(limited) ?? ratio
            if limited != value { warnings.append(quantity.limitWarning) }
        }
        (epsilon, clampsOvershoot) = (quantities[.epsilon], quantities[.clampsOvershoot] == 1)
        let mass = quantities[.mass] ?? convention.mass
        let stiffness = quantities[.stiffness] ?? quantities[.origamiTension].map(Origami.stiffness)
        let damping = quantities[.damping] ?? quantities[.origamiFriction].map(Origami.damping)
        var response = quantities[.response] ?? quantities[.visualDuration].map { $0 * 1.2 }
        if let ratio, let duration = quantities[.duration] {
            let epsilon = epsilon ?? 0.001
            guard let phase = convention.phase(ratio, epsilon) else {
                let reason = "is too small for a settling duration with an epsilon of \(epsilon.plain)"
                throw .noSpring(parameter: "dampingRatio", reason: reason)
            }
            // The platform may find no spring that is fast enough.
            let shortest = 2 * .pi / convention.stiffest.squareRoot()
            response = max(2 * .pi * duration / phase, shortest)
            if response != 2 * .pi * duration / phase { warnings.append(.stiffnessCapped) }
        }
        switch (stiffness, response, damping, ratio) {
        case (let stiffness?, nil, let damping?, nil):
            spring = try Spring(mass: mass, stiffness: stiffness, damping: damping)
        case (let stiffness?, nil, nil, let ratio?):
            spring = try Spring(mass: mass, stiffness: stiffness, dampingRatio: .init(ratio))
        case (nil, let response?, nil, let ratio?):
            spring = try Spring(dampingRatio: ratio, response: response, mass: mass)
        default: preconditionFailure("the quantities of a convention determine a spring")
        }
        if quantities[.allowsOverdamping] == 0, spring.regime == .overdamped {
            spring = spring.critical
            warnings.append(.dampingCapped)
        }
    }
}

extension Convention {
    /// Returns the values of parameters that are quantities, within the limits of the platform, and the limits that apply.
    func quantities(of wanted: Spring, clampsOvershoot: Bool) -> (values: Values, warnings: [ConventionWarning]) {
        let keepsMass = !isUnitMass && parameters.contains { $0.quantity == .mass }
        let spring = keepsMass ? wanted : wanted.atUnitMass
        let frequency = min(spring.naturalFrequency, stiffest.squareRoot())
        var (ratio, epsilon) = (spring.dampingRatio, 0.001)
        var warnings: [ConventionWarning] = []
        // A duration depends on the ratio, so its limit comes first. No overshoot expresses an overdamped spring.
        for parameter in parameters {
            guard let quantity = parameter.quantity, let value = quantity.value(ofRatio: ratio),
                case let limited = parameter.limited(value), let possible = quantity.ratio(limited), possible != ratio,
                limited != value || (quantity == .overshoot && abs(possible - ratio) > 1e-9)
            else { continue }
            ratio = possible
            warnings.append(.ratioLimited)
        }
        if frequency != spring.naturalFrequency { warnings.append(.stiffnessCapped) }
        let hasEpsilon = parameters.contains { $0.quantity == .epsilon }
        // A small ratio never reaches the default threshold.
        if hasEpsilon, phase(ratio, epsilon) == nil { epsilon = ratio / 1000 }
        let values = parameters.map { parameter -> (name: String, value: Double) in
            var value: Double =
                switch parameter.quantity {
                case .mass: spring.mass
                case .stiffness: spring.stiffness
                case .damping: spring.damping
                case .origamiTension: spring.origamiTension
                case .origamiFriction: spring.origamiFriction
                case .dampingRatio, .bounce, .overshoot: parameter.quantity?.value(ofRatio: ratio) ?? 0
                case .response: spring.response
                case .visualDuration: spring.motionVisualDuration
                case .duration: (phase(ratio, epsilon) ?? .infinity) / frequency
                case .epsilon: epsilon
                case .clampsOvershoot: clampsOvershoot ? 1 : 0
                case .allowsOverdamping, nil: spring.regime == .overdamped ? 1 : parameter.fallback ?? 0
                }
            if parameter.isInMilliseconds { value *= 1000 }
            let limited = parameter.limited(value)
            // The ratio is within its limits already, apart from rounding.
            guard limited != value, let quantity = parameter.quantity, quantity.ratio(value) == nil else {
                return (parameter.name, value)
            }
            // Another threshold may lead to a duration that is allowed.
            if quantity == .duration, hasEpsilon,
                let other = SettlingPhase.threshold(ratio: ratio, phase: frequency * limited),
                ParameterRange.directEpsilon.contains(other)
            {
                epsilon = other
            } else {
                warnings.append(quantity.limitWarning)
            }
            return (parameter.name, limited)
        }
        return (values, warnings)
    }
}
