package struct Preset: Sendable {
    package let platform: String
    package let name: String
    package let convention: Convention
    package let parameters: KeyValuePairs<String, Double>
    package let spring: Spring

    /// - Precondition: the convention accepts these numbers; a test reads all presets.
    init(_ platform: String, _ name: String, _ convention: Convention, _ parameters: KeyValuePairs<String, Double>) {
        self.platform = platform
        self.name = name
        self.convention = convention
        self.parameters = parameters
        do {
            spring = try convention.read(Dictionary(uniqueKeysWithValues: parameters.map { ($0, $1) })).spring
        } catch {
            preconditionFailure("preset \(platform) \(name): \(error)")
        }
    }
}

package enum Presets {
    package static let all: [Preset] = apple + android + google + reactSpring + javaScript

    package static let platforms: [String] = all.reduce(into: []) { names, preset in
        if !names.contains(preset.platform) { names.append(preset.platform) }
    }

    /// Returns the preset of every platform that, with the same velocity, is nearest to `curve`, and its distance.
    package static func nearest(to curve: SpringCurve) -> [(preset: Preset, distance: SpringCurve.Distance)] {
        platforms.compactMap { platform in
            all.lazy.filter { $0.platform == platform }
                .map { preset in
                    let other = SpringCurve(preset.spring, initialVelocity: curve.initialVelocity)
                    return (preset: preset, distance: curve.distance(to: other))
                }
                .min { $0.distance.maximum < $1.distance.maximum }
        }
    }

    static let apple = [
        // "Building Fluid Interfaces" and its repository.
        Preset("wwdc", "drawer after a flick", .wwdc, ["dampingRatio": 0.8, "response": 0.3]),
        Preset("wwdc", "drawer after a tap", .wwdc, ["dampingRatio": 1, "response": 0.4]),
        Preset("wwdc", "rotation", .wwdc, ["dampingRatio": 0.8, "response": 0.4]),
        Preset("wwdc", "flashlight", .wwdc, ["dampingRatio": 0.4, "response": 0.2]),
        // OpenSwiftUIProject/OpenSwiftUI, Spring.swift and FluidSpringAnimation.swift.
        Preset("swiftui", "smooth", .swiftUIDurationBounce, ["duration": 0.5, "bounce": 0]),
        Preset("swiftui", "snappy", .swiftUIDurationBounce, ["duration": 0.5, "bounce": 0.15]),
        Preset("swiftui", "bouncy", .swiftUIDurationBounce, ["duration": 0.5, "bounce": 0.3]),
        Preset("swiftui", "spring()", .swiftUIResponse, ["response": 0.5, "dampingRatio": 0.825]),
        Preset("swiftui", "interactiveSpring()", .swiftUIResponse, ["response": 0.15, "dampingRatio": 0.86]),
    ]

    /// Every pair of the constants of SpringForce.java.
    static let android: [Preset] = {
        let stiffnesses = [("HIGH", 10_000.0), ("MEDIUM", 1500), ("LOW", 200), ("VERY_LOW", 50)]
        let ratios = [("HIGH_BOUNCY", 0.2), ("MEDIUM_BOUNCY", 0.5), ("LOW_BOUNCY", 0.75), ("NO_BOUNCY", 1)]
        return stiffnesses.flatMap { level, stiffness in
            ratios.map { bounce, ratio in
                let name = "STIFFNESS_\(level), DAMPING_RATIO_\(bounce)"
                return Preset("android", name, .android, ["stiffness": stiffness, "dampingRatio": ratio])
            }
        }
    }()

    static let google = [
        // Compose's default, and the motion tokens of Material 3 (as republished in public sources).
        Preset("compose", "spring()", .compose, ["dampingRatio": 1, "stiffness": 1500]),
        Preset("compose", "StiffnessMediumLow", .compose, ["dampingRatio": 1, "stiffness": 400]),
        Preset("material3", "expressive fast spatial", .compose, ["dampingRatio": 0.6, "stiffness": 800]),
        Preset("material3", "expressive default spatial", .compose, ["dampingRatio": 0.8, "stiffness": 380]),
        Preset("material3", "expressive slow spatial", .compose, ["dampingRatio": 0.8, "stiffness": 200]),
        Preset("material3", "standard fast spatial", .compose, ["dampingRatio": 0.9, "stiffness": 1400]),
        Preset("material3", "standard default spatial", .compose, ["dampingRatio": 0.9, "stiffness": 700]),
        Preset("material3", "standard slow spatial", .compose, ["dampingRatio": 0.9, "stiffness": 300]),
        Preset("material3", "fast effects", .compose, ["dampingRatio": 1, "stiffness": 3800]),
        Preset("material3", "default effects", .compose, ["dampingRatio": 1, "stiffness": 1600]),
        Preset("material3", "slow effects", .compose, ["dampingRatio": 1, "stiffness": 800]),
        // The default of flutter/flutter, physics/spring_simulation.dart.
        Preset("flutter", "withDurationAndBounce()", .flutterDurationBounce, ["duration": 0.5, "bounce": 0]),
    ]

    /// pmndrs/react-spring, constants.ts.
    static let reactSpring = [
        ("default", 170.0, 26.0), ("gentle", 120, 14), ("wobbly", 180, 12), ("stiff", 210, 20), ("slow", 280, 60),
        ("molasses", 280, 120),
    ].map { name, tension, friction in
        Preset("reactspring", name, .reactSpringTensionFriction, ["tension": tension, "friction": friction])
    }

    static let javaScript = [
        // The defaults of Motion 13.1.1 and anime.js 4.
        Preset("motion", "stiffness, damping", .motionPhysical, ["stiffness": 100, "damping": 10]),
        Preset("motion", "duration, bounce", .motionDurationBounce, ["durationMs": 800, "bounce": 0.3]),
        Preset("anime", "spring()", .animeDurationBounce, ["durationMs": 628, "bounce": 0.5]),
        // The defaults of React Native's Animated and of Reanimated.
        Preset("reactnative", "tension, friction", .origami, ["tension": 40, "friction": 7]),
        Preset("reactnative", "bounciness, speed", .reactNativeBouncinessSpeed, ["bounciness": 8, "speed": 12]),
        Preset("reactnative", "stiffness, damping, mass", .reactNativePhysical, ["stiffness": 100, "damping": 10]),
        Preset("reanimated", "default", .reanimatedPhysical, ["mass": 4, "stiffness": 900, "damping": 120]),
        Preset("reanimated", "Reanimated 3", .reanimatedPhysical, ["mass": 1, "stiffness": 100, "damping": 10]),
    ]
}
