/// A spring that a platform has a name for.
package struct Preset: Sendable {
    package let platform: String
    package let name: String
    /// The convention that its numbers are in.
    package let convention: Convention
    package let parameters: [(name: String, value: Double)]
    package let spring: Spring

    /// - Precondition: the convention takes these numbers; a test goes through all presets.
    init(_ platform: String, _ name: String, _ convention: Convention, _ parameters: KeyValuePairs<String, Double>) {
        self.platform = platform
        self.name = name
        self.convention = convention
        self.parameters = parameters.map { (name: $0.key, value: $0.value) }
        let given = Dictionary(uniqueKeysWithValues: parameters.map { ($0.key, ConventionValue.number($0.value)) })
        do {
            spring = try convention.read(given).spring
        } catch {
            preconditionFailure("preset \(platform) \(name): \(error)")
        }
    }
}

/// The presets there are.
package enum Presets {
    /// All of them, by platform.
    package static let all: [Preset] = article + swiftUI + android + compose + flutter + reactSpring + web + reactNative

    /// The platforms in the order of answers, each once.
    package static let platforms: [String] = all.reduce(into: []) { names, preset in
        if !names.contains(preset.platform) { names.append(preset.platform) }
    }

    /// For every platform the preset whose curve is nearest to `curve`, and how far it is.
    ///
    /// The presets start with the same velocity, as they would in its place.
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
}
