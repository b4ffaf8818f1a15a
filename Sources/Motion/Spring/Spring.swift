import Glibc

/// A damped spring: what moves a unit of travel from 0 to its target at 1.
///
/// A spring has two numbers that shape its motion, the damping ratio ζ and the natural frequency ω = 2π / response.
/// The mass changes neither; it only says which stiffness `k = m ω²` and damping `c = 2 ζ √(k m)` mean the same. All
/// of them are kept as they were given or derived once, so that 100 stays 100 and not 100.00000000000001.
///
/// Source of the terms: "Designing Fluid Interfaces" (WWDC 2018), in "Building Fluid Interfaces" by Nathan Gitter.
package struct Spring: Sendable, Hashable {
    /// Damping ratio ζ: 0 swings for ever, below 1 overshoots, 1 is the fastest without overshoot.
    package let dampingRatio: Double
    /// Period of the undamped spring in seconds.
    package let response: Double
    /// Natural frequency ω in radians per second.
    package let naturalFrequency: Double
    /// Mass `m`, by the convention of platforms without a unit.
    package let mass: Double
    /// Stiffness `k` at that mass.
    package let stiffness: Double
    /// Damping coefficient `c` at that mass.
    package let damping: Double

    /// The spring of a ratio and a response, as designers say it.
    package init(dampingRatio: DampingRatio, response: Response, mass: Mass = .unit) {
        let frequency = 2 * Double.pi / response.seconds
        self.dampingRatio = dampingRatio.value
        self.response = response.seconds
        self.mass = mass.value
        naturalFrequency = frequency
        stiffness = mass.value * frequency * frequency
        damping = 2 * dampingRatio.value * mass.value * frequency
    }

    /// The spring of a mass, a stiffness and a damping coefficient, as physics says it.
    ///
    /// - Throws: `MotionError.outOfRange` for a mass or stiffness that is not positive, a negative damping or a number
    ///   that is not finite; `MotionError.noSpring` when the three are so far apart that ω or ζ is beyond a double.
    package init(mass: Double, stiffness: Double, damping: Double) throws(MotionError) {
        self.mass = try ParameterRange.positive.checked(mass, "mass")
        self.stiffness = try ParameterRange.positive.checked(stiffness, "stiffness")
        self.damping = try ParameterRange.notNegative.checked(damping, "damping")
        let frequency = (stiffness / mass).squareRoot()
        let ratio = damping / (2 * stiffness.squareRoot() * mass.squareRoot())
        guard frequency.isNormal, ratio.isFinite, (2 * Double.pi / frequency).isNormal else {
            throw .noSpring(parameter: "stiffness", reason: "is too large or too small for the mass")
        }
        naturalFrequency = frequency
        response = 2 * Double.pi / frequency
        // A critical spring written in decimals misses 1 by the rounding of its parts: it still is critical.
        dampingRatio = abs(ratio - 1) <= 4 * Double.ulpOfOne ? 1 : ratio
    }

    /// The spring of a stiffness and a ratio, as Android and Flutter say it.
    ///
    /// - Throws: as `init(mass:stiffness:damping:)`.
    package init(mass: Double = 1, stiffness: Double, dampingRatio: DampingRatio) throws(MotionError) {
        self.mass = try ParameterRange.positive.checked(mass, "mass")
        self.stiffness = try ParameterRange.positive.checked(stiffness, "stiffness")
        let frequency = (stiffness / mass).squareRoot()
        let coefficient = 2 * dampingRatio.value * stiffness.squareRoot() * mass.squareRoot()
        guard frequency.isNormal, coefficient.isFinite, (2 * Double.pi / frequency).isNormal else {
            throw .noSpring(parameter: "stiffness", reason: "is too large or too small for the mass")
        }
        naturalFrequency = frequency
        response = 2 * Double.pi / frequency
        damping = coefficient
        self.dampingRatio = dampingRatio.value
    }
}

extension Spring {
    /// What ζ makes of the motion.
    package enum Regime: String, Sendable {
        case undamped, underdamped, critical, overdamped
    }

    package var regime: Regime {
        if dampingRatio == 0 { return .undamped }
        if dampingRatio < 1 { return .underdamped }
        return dampingRatio == 1 ? .critical : .overdamped
    }

    /// Apple's bounce: 1 - ζ up to critical, 1/ζ - 1 past it; from 1 (undamped) down to, never reaching, -1.
    package var bounce: Double {
        dampingRatio <= 1 ? 1 - dampingRatio : 1 / dampingRatio - 1
    }

    /// Frequency of the damped swing in radians per second; 0 where nothing swings (ζ ≥ 1).
    package var dampedFrequency: Double {
        // (1 - ζ)(1 + ζ) and not 1 - ζ²: next to critical the square would round away what is left.
        dampingRatio < 1 ? naturalFrequency * ((1 - dampingRatio) * (1 + dampingRatio)).squareRoot() : 0
    }

    /// Rate of decay γ = ζ ω in 1/s; below critical that of the envelope.
    package var decayRate: Double { dampingRatio * naturalFrequency }

    /// The shorter time constant in seconds: that of the faster of the two exponentials past critical, 1/ω below it.
    var shortestTimeConstant: Double {
        let root = dampingRatio > 1 ? ((dampingRatio - 1) * (dampingRatio + 1)).squareRoot() : 0
        return 1 / (naturalFrequency * (max(1, dampingRatio) + root))
    }

    /// The spring of the same period that comes to rest fastest without overshoot: what platforms draw that know no
    /// overdamped one.
    package var critical: Spring {
        Spring(copying: self, dampingRatio: 1)
    }

    /// The spring of a ratio (not negative) and a frequency (radians per second, above 0) that a computation has led
    /// to, both finite.
    init(ratio: Double, frequency: Double, mass: Double, response: Double? = nil) {
        dampingRatio = ratio
        self.response = response ?? 2 * Double.pi / frequency
        naturalFrequency = frequency
        self.mass = mass
        stiffness = mass * frequency * frequency
        damping = 2 * ratio * mass * frequency
    }

    /// The spring of mass 1 of a ratio (not negative) and a response in seconds (above 0), for constants of this module.
    init(ratio: Double, response: Double) {
        self.init(ratio: ratio, frequency: 2 * .pi / response, mass: 1, response: response)
    }

    /// The spring of this period with another ratio.
    private init(copying spring: Spring, dampingRatio: Double) {
        self.dampingRatio = dampingRatio
        response = spring.response
        naturalFrequency = spring.naturalFrequency
        mass = spring.mass
        stiffness = spring.stiffness
        damping = 2 * dampingRatio * spring.mass * spring.naturalFrequency
    }
}

extension Spring {
    /// A damping ratio ζ: finite, not negative.
    package struct DampingRatio: Sendable, Hashable {
        package let value: Double

        /// - Throws: `MotionError.outOfRange` for a negative or non-finite number.
        package init(_ value: Double) throws(MotionError) {
            self.value = try ParameterRange.notNegative.checked(value, "dampingRatio")
        }

        private init(unchecked value: Double) {
            self.value = value
        }

        /// ζ = 1.
        package static let critical = DampingRatio(unchecked: 1)
    }

    /// A response, the period of the undamped spring: finite seconds above 0 with a finite frequency.
    package struct Response: Sendable, Hashable {
        package let seconds: Double

        /// - Throws: `MotionError.outOfRange` for anything else, including a period too short to have a square.
        package init(_ seconds: Double) throws(MotionError) {
            self.seconds = try ParameterRange(1e-100...1e100).checked(seconds, "response")
        }
    }

    /// A mass: finite, above 0.
    package struct Mass: Sendable, Hashable {
        package let value: Double

        /// - Throws: `MotionError.outOfRange` for anything else.
        package init(_ value: Double) throws(MotionError) {
            self.value = try ParameterRange(1e-100...1e100).checked(value, "mass")
        }

        private init(unchecked value: Double) {
            self.value = value
        }

        /// The mass of every convention that names none.
        package static let unit = Mass(unchecked: 1)
    }
}
