package import Motion

package struct Preset: Sendable {
    package let platform: String
    package let name: String
    package let convention: Convention
    package let parameters: Convention.Values
    package let spring: Spring

    /// Creates a preset of numbers in the order of the parameters, with or without mass and threshold; tests read all.
    fileprivate init(_ platform: String, _ name: String, _ convention: Convention, _ numbers: [Double]) {
        (self.platform, self.name, self.convention) = (platform, name, convention)
        let isWhole = numbers.count == convention.parameters.count
        let names = convention.parameters.filter { isWhole || !$0.isIncidental }.map(\.name)
        parameters = zip(names, numbers).map { (name: $0, value: $1) }
        do {
            spring = try convention.read(Dictionary(uniqueKeysWithValues: zip(names, numbers))).spring
        } catch {
            preconditionFailure("preset \(platform) \(name): \(error)")
        }
    }
}

package enum Presets {
    package static let all = groups.flatMap { $0 }

    package static let platforms: [String] = all.reduce(into: []) { names, preset in
        if !names.contains(preset.platform) { names.append(preset.platform) }
    }

    /// Returns the preset of every platform that, with the same velocity, is nearest to `curve`, and its distance.
    package static func nearest(to curve: SpringCurve) -> [(preset: Preset, distance: SpringCurve.Distance)] {
        platforms.compactMap { platform in
            let distances = all.filter { $0.platform == platform }.map { preset in
                let other = SpringCurve(preset.spring, initialVelocity: curve.initialVelocity)
                return (preset: preset, distance: curve.distance(to: other))
            }
            return distances.min { $0.distance.maximum < $1.distance.maximum }
        }
    }

    /// The defaults and the named springs of the platforms, from the sources of their conventions.
    private static let groups: [[Preset]] = [
        group("wwdc", .wwdc, ["drawer after a flick": [0.8, 0.3], "drawer after a tap": [1, 0.4]]),
        group("wwdc", .wwdc, ["rotation": [0.8, 0.4], "flashlight": [0.4, 0.2]]),
        // The spring of the system's own animations, such as pushing a screen.
        group("uikit", .uikit, ["system": [3, 1000, 500]]),
        group("swiftui", .swiftUIDurationBounce, ["smooth": [0.5, 0], "snappy": [0.5, 0.15], "bouncy": [0.5, 0.3]]),
        group("swiftui", .swiftUIResponse, ["spring()": [0.5, 0.825], "interactiveSpring()": [0.15, 0.86]]),
        android,
        group("compose", .compose, ["spring()": [1, 1500], "StiffnessMediumLow": [1, 400]]),
        // As republished in public sources.
        group(
            "material3",
            .compose,
            [
                "expressive fast spatial": [0.6, 800], "expressive default spatial": [0.8, 380],
                "expressive slow spatial": [0.8, 200], "standard fast spatial": [0.9, 1400],
                "standard default spatial": [0.9, 700], "standard slow spatial": [0.9, 300],
                "fast effects": [1, 3800], "default effects": [1, 1600], "slow effects": [1, 800],
            ]
        ),
        group("flutter", .flutterDurationBounce, ["withDurationAndBounce()": [0.5, 0]]),
        // pmndrs/react-spring, constants.ts.
        group(
            "reactspring",
            .reactSpringTensionFriction,
            [
                "default": [170, 26], "gentle": [120, 14], "wobbly": [180, 12], "stiff": [210, 20], "slow": [280, 60],
                "molasses": [280, 120],
            ]
        ),
        group("motion", .motionPhysical, ["stiffness, damping": [100, 10]]),
        group("motion", .motionDurationBounce, ["duration, bounce": [800, 0.3]]),
        group("anime", .animeDurationBounce, ["spring()": [628, 0.5]]),
        group("reactnative", .origami, ["tension, friction": [40, 7]]),
        group("reactnative", .reactNativeBouncinessSpeed, ["bounciness, speed": [8, 12]]),
        group("reactnative", .reactNativePhysical, ["stiffness, damping, mass": [100, 10]]),
        group("reanimated", .reanimatedPhysical, ["default": [4, 900, 120], "Reanimated 3": [1, 100, 10]]),
        group("svelte", .svelte, ["default": [0.15, 0.8]]),
        group("remotion", .remotion, ["default": [100, 10]]),
        // The blog of Figma; its own spring is `gentle` until it is changed.
        group(
            "figma",
            .figma,
            ["gentle": [1, 100, 15], "quick": [1, 300, 20], "bouncy": [1, 600, 15], "slow": [1, 80, 20]]
        ),
    ]

    /// Every pair of the constants of SpringForce.java.
    private static let android: [Preset] = {
        let stiffnesses = [("HIGH", 10_000.0), ("MEDIUM", 1500), ("LOW", 200), ("VERY_LOW", 50)]
        let ratios = [("HIGH_BOUNCY", 0.2), ("MEDIUM_BOUNCY", 0.5), ("LOW_BOUNCY", 0.75), ("NO_BOUNCY", 1)]
        return stiffnesses.flatMap { level, stiffness in
            ratios.map { bounce, ratio in
                Preset("android", "STIFFNESS_\(level), DAMPING_RATIO_\(bounce)", .android, [stiffness, ratio])
            }
        }
    }()

    private static func group(_ name: String, _ convention: Convention, _ springs: KeyValuePairs<String, [Double]>)
        -> [Preset]
    {
        springs.map { Preset(name, $0, convention, $1) }
    }
}
