package import Motion

extension Convention {
    package static let reactNativePhysical = Convention(
        id: "reactnative.physical",
        title: "Animated.spring({ stiffness, damping, mass })",
        source: "facebook/react-native, SpringAnimation.js",
        parameters: .massStiffnessDamping(defaults: 1, 100, 10),
        drawing: { curve, _ in curve.drawnIfDamped },
        snippet: { $0.reactNative($1.members) }
    )

    static let reactNativeBouncinessSpeed = Convention(
        id: "reactnative.bouncinessSpeed",
        title: "Animated.spring({ bounciness, speed })",
        source: "facebook/rebound-js, BouncyConversion.js; facebook/react-native, SpringConfig.js",
        parameters: [
            .number("bounciness", in: Bouncy.bounciness, default: 8),
            .number("speed", in: Bouncy.speed, default: 12),
        ],
        isInferred: true,
        reader: { values throws(MotionError) in
            let tension = Bouncy.tension(speed: values["speed"])
            let friction = Bouncy.friction(bounciness: values["bounciness"], tension: tension)
            return try ConventionReading([("tension", tension), ("friction", friction)], of: origami)
        },
        writer: { spring in
            let wantedSpeed = Bouncy.speed(tension: spring.origamiTension)
            let speed = Bouncy.speed.clamped(wantedSpeed)
            let tension = speed == wantedSpeed ? spring.origamiTension : Bouncy.tension(speed: speed)
            let exact = Bouncy.bounciness(friction: spring.origamiFriction, tension: tension)
            let bounciness = Bouncy.bounciness.clamped(exact ?? Bouncy.bounciness.upper)
            return (
                [("bounciness", bounciness), ("speed", speed)],
                .init(of: [.speedLimited: speed != wantedSpeed, .bouncinessLimited: bounciness != exact])
            )
        },
        drawing: { curve, _ in curve.drawnIfDamped },
        snippet: { $0.reactNative($1.members) }
    )

    package static let origami = Convention(
        id: "origami",
        title: "Origami, Rebound and React Native: tension and friction",
        source: "facebook/rebound-js, OrigamiValueConverter.js; facebook/react-native, SpringConfig.js",
        parameters: [
            .number("tension", .origamiTension, in: tensions, of: .init(above: leastTension, upTo: 3e9), default: 40),
            .number("friction", .origamiFriction, in: ParameterRange(-1.0 / 3...1e9), default: 7),
        ],
        drawing: { curve, _ in curve.drawnIfDamped },
        snippet: { $0.reactNative($1.members) }
    )

    /// The tension at which the stiffness is 0.
    private static let leastTension = 30 - 194 / 3.62
    /// Up to the stiffness of the fastest spring, 1e10.
    private static let tensions = ParameterRange(leastTension + 1e-8...(1e10 - 194) / 3.62 + 30)
}

/// Rebound's `BouncyConversion` from bounciness and speed to Origami's tension and friction.
///
/// The friction falls with the square of the remaining bounciness, from that of a spring which just does not bounce.
enum Bouncy {
    /// The usual range is 0 to 20; the formula continues until the friction reaches its minimum.
    static let bounciness = ParameterRange(0...42.5)
    static let speed = ParameterRange(0...1000)

    private static let dial = 1.7 * 20
    private static let leastFriction = 0.01

    static func tension(speed: Double) -> Double { 0.5 + speed / dial * 199.5 }
    static func speed(tension: Double) -> Double { (tension - 0.5) / 199.5 * dial }

    static func friction(bounciness: Double, tension: Double) -> Double {
        let left = 1 - 0.8 * bounciness / dial
        return leastFriction + left * left * (frictionWithoutBounce(tension) - leastFriction)
    }

    /// Returns the bounciness of a friction; nil for a friction below the minimum.
    static func bounciness(friction: Double, tension: Double) -> Double? {
        let square = (friction - leastFriction) / (frictionWithoutBounce(tension) - leastFriction)
        return square >= 0 ? (1 - square.squareRoot()) / 0.8 * dial : nil
    }

    private static func frictionWithoutBounce(_ tension: Double) -> Double {
        switch tension {
        case ...18: ((0.0007 * tension - 0.031) * tension + 0.64) * tension + 1.28
        case ...44: ((0.000_044 * tension - 0.006) * tension + 0.36) * tension + 2
        default: ((0.000_000_45 * tension - 0.000_332) * tension + 0.1078) * tension + 5.84
        }
    }
}

extension SpringCurve {
    func reactNative(_ members: String) -> String {
        "Animated.spring(value, { toValue: 1, \(members)\(velocityMember), useNativeDriver: true })"
    }
}

/// The linear conversion between the numbers of Quartz Composer's "bouncy" patch and physical ones.
enum Origami {
    static func stiffness(tension: Double) -> Double { 3.62 * (tension - 30) + 194 }
    /// The least friction is -1/3, for which rounding would make the damping slightly negative.
    static func damping(friction: Double) -> Double { max(0, 3 * (friction - 8) + 25) }
}

extension Spring {
    package var origamiTension: Double { (unitMassStiffness - 194) / 3.62 + 30 }
    package var origamiFriction: Double { (unitMassDamping - 25) / 3 + 8 }
}
