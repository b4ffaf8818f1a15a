/// A damped spring that moves a unit of travel from 0 to its target at 1.
///
/// Two numbers shape its motion: the damping ratio ζ and the natural frequency ω = 2π / response. The mass changes
/// neither. It determines the stiffness `k = m ω²` and the damping `c = 2 ζ √(k m)`. All values are stored as given or
/// derived once, so that 100 stays 100 and not 100.00000000000001.
/// Source of the terms: "Designing Fluid Interfaces" (WWDC 2018), in "Building Fluid Interfaces" by Nathan Gitter.
public struct Spring: Sendable, Hashable {
    /// Damping ratio ζ: 0 oscillates for ever, below 1 overshoots, 1 is the fastest without overshoot.
    public private(set) var dampingRatio: Double
    /// Period of the undamped spring in seconds.
    public let response: Double
    /// Natural frequency ω in radians per second.
    public let naturalFrequency: Double
    /// Mass `m`; platforms give it no unit.
    public private(set) var mass: Double
    /// Stiffness `k` at that mass.
    public private(set) var stiffness: Double
    /// Damping coefficient `c` at that mass.
    public private(set) var damping: Double
}

extension Spring {
    /// Creates the spring with a damping ratio and a response.
    public init(dampingRatio: DampingRatio, response: Response, mass: Mass = .unit) {
        let (ratio, seconds) = (dampingRatio.value, response.seconds)
        self.init(ratio: ratio, frequency: 2 * .pi / seconds, mass: mass.value, response: seconds)
    }

    /// Creates the spring with numbers that are checked.
    package init(dampingRatio: Double, response: Double, mass: Double = 1) throws(MotionError) {
        let (ratio, response) = (try DampingRatio(dampingRatio), try Response(response))
        self.init(dampingRatio: ratio, response: response, mass: try Mass(mass))
    }

    /// Creates the spring with a mass, a stiffness and a damping coefficient.
    ///
    /// - Throws: `MotionError.outOfRange` for a mass or stiffness that is not positive, a negative damping or a number
    ///   that is not finite. `MotionError.noSpring` if ω or ζ exceeds the range of a double.
    public init(mass: Double, stiffness: Double, damping: Double) throws(MotionError) {
        let ratio = damping / (2 * stiffness.squareRoot() * mass.squareRoot())
        // The ratio of a critical spring in decimals differs from 1 by rounding. Such a spring counts as critical.
        let isCritical = abs(ratio - 1) <= 4 * Double.ulpOfOne
        try self.init(mass: mass, stiffness: stiffness, damping: damping, ratio: isCritical ? 1 : ratio)
    }

    /// Creates the spring with a stiffness and a damping ratio, the parameters of Android and Flutter.
    ///
    /// - Throws: the errors of `init(mass:stiffness:damping:)`.
    public init(mass: Double = 1, stiffness: Double, dampingRatio: DampingRatio) throws(MotionError) {
        let damping = 2 * dampingRatio.value * stiffness.squareRoot() * mass.squareRoot()
        try self.init(mass: mass, stiffness: stiffness, damping: damping, ratio: dampingRatio.value)
    }

    private init(mass: Double, stiffness: Double, damping: Double, ratio: Double) throws(MotionError) {
        self.mass = try ParameterRange.positive.checked(mass, "mass")
        self.stiffness = try ParameterRange.positive.checked(stiffness, "stiffness")
        self.damping = try ParameterRange.notNegative.checked(damping, "damping")
        naturalFrequency = (stiffness / mass).squareRoot()
        response = 2 * Double.pi / naturalFrequency
        dampingRatio = ratio
        guard naturalFrequency.isNormal, ratio.isFinite, response.isNormal else {
            throw .noSpring(parameter: "stiffness", reason: "is too large or too small for the mass")
        }
    }

    /// Creates the spring with a computed ratio (not negative) and frequency (radians per second, above 0), both finite.
    package init(ratio: Double, frequency: Double, mass: Double, response: Double? = nil) {
        self.init(
            dampingRatio: ratio,
            response: response ?? 2 * Double.pi / frequency,
            naturalFrequency: frequency,
            mass: mass,
            stiffness: mass * frequency * frequency,
            damping: 2 * ratio * mass * frequency
        )
    }

    /// Creates the spring of mass 1 with a constant ratio (not negative) and response (seconds, above 0).
    package init(ratio: Double, response: Double) {
        self.init(ratio: ratio, frequency: 2 * .pi / response, mass: 1, response: response)
    }

    /// The critically damped spring with the same period, which platforms without overdamped springs draw instead.
    public var critical: Spring {
        var spring = self
        (spring.dampingRatio, spring.damping) = (1, 2 * mass * naturalFrequency)
        return spring
    }

    /// The kind of motion that ζ determines.
    public enum Regime: String, Sendable {
        case undamped, underdamped, critical, overdamped
    }

    /// The regime of the motion.
    public var regime: Regime {
        if dampingRatio == 0 { return .undamped }
        if dampingRatio < 1 { return .underdamped }
        return dampingRatio == 1 ? .critical : .overdamped
    }

    /// Apple's bounce: 1 - ζ up to critical, 1/ζ - 1 above; from 1 (undamped) down to -1, which is excluded.
    public var bounce: Double { dampingRatio <= 1 ? 1 - dampingRatio : 1 / dampingRatio - 1 }

    /// Frequency of the damped oscillation in radians per second; 0 without oscillation (ζ ≥ 1).
    public var dampedFrequency: Double { dampingRatio < 1 ? split : 0 }

    /// Decay rate γ = ζ ω in 1/s; below critical damping, that of the envelope.
    public var decayRate: Double { dampingRatio * naturalFrequency }

    /// √|1 - ζ²| as (1 - ζ)(1 + ζ): near critical damping, rounding the square would lose the difference.
    private var root: Double { abs((1 - dampingRatio) * (1 + dampingRatio)).squareRoot() }
    /// Half the difference of the two exponents in 1/s: real above critical damping, imaginary below.
    package var split: Double { naturalFrequency * root }
    /// The rates in 1/s of the two exponentials from critical damping on.
    package var slowRate: Double { naturalFrequency / (dampingRatio + root) }
    package var fastRate: Double { naturalFrequency * (dampingRatio + root) }

    /// The spring with a mass of 1 that moves in the same way.
    package var atUnitMass: Spring {
        var spring = self
        (spring.mass, spring.stiffness, spring.damping) = (1, unitMassStiffness, unitMassDamping)
        return spring
    }

    package var unitMassStiffness: Double { mass == 1 ? stiffness : stiffness / mass }
    package var unitMassDamping: Double { mass == 1 ? damping : damping / mass }

    /// A damping ratio ζ: finite, not negative.
    public struct DampingRatio: Sendable, Hashable {
        /// The ratio.
        public let value: Double
        /// ζ = 1.
        public static let critical = Self(checked: 1)

        /// - Throws: `MotionError.outOfRange` for a negative or non-finite number.
        public init(_ value: Double) throws(MotionError) {
            self.init(checked: try ParameterRange.notNegative.checked(value, "dampingRatio"))
        }

        private init(checked value: Double) { self.value = value }
    }

    /// A response, the period of the undamped spring: finite seconds above 0 with a finite frequency.
    public struct Response: Sendable, Hashable {
        /// The period in seconds.
        public let seconds: Double

        /// - Throws: `MotionError.outOfRange` for any other number, including a period with a square of 0.
        public init(_ seconds: Double) throws(MotionError) {
            self.seconds = try magnitudes.checked(seconds, "response")
        }
    }

    /// A mass: finite, above 0.
    public struct Mass: Sendable, Hashable {
        /// The mass; platforms give it no unit.
        public let value: Double
        /// The mass of every convention without a mass parameter.
        public static let unit = Self(checked: 1)

        /// - Throws: `MotionError.outOfRange` for any other number.
        public init(_ value: Double) throws(MotionError) { self.init(checked: try magnitudes.checked(value, "mass")) }

        private init(checked value: Double) { self.value = value }
    }

    /// Responses and masses with squares that are doubles above 0.
    private static let magnitudes = ParameterRange(1e-100...1e100)
}
