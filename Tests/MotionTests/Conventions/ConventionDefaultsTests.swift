import Motion
import SpringConventions
import Testing

@Suite("Defaults of conventions")
struct ConventionDefaultsTests {
    /// From the file that each convention names as its source, or the documentation of the platform.
    static let defaults: [String: [String: Double]] = [
        "compose": ["dampingRatio": 1, "stiffness": 1500],
        "anime.physical": ["mass": 1, "stiffness": 100, "damping": 10],
        "anime.durationBounce": ["durationMs": 628, "bounce": 0.5],
        "figma": ["mass": 1, "stiffness": 100, "damping": 15],
        "flutter.dampingRatio": ["mass": 1, "ratio": 1],
        "flutter.durationBounce": ["duration": 0.5, "bounce": 0],
        "motion.physical": ["mass": 1, "stiffness": 100, "damping": 10],
        "motion.durationBounce": ["durationMs": 800, "bounce": 0.3],
        "motion.visualDurationBounce": ["bounce": 0.3],
        "reactnative.physical": ["mass": 1, "stiffness": 100, "damping": 10],
        "reactnative.bouncinessSpeed": ["bounciness": 8, "speed": 12],
        "origami": ["tension": 40, "friction": 7],
        "reactspring.tensionFriction": ["mass": 1],
        "reactspring.frequency": ["damping": 1, "mass": 1],
        "reanimated.physical": ["mass": 4, "stiffness": 900, "damping": 120],
        "reanimated.durationRatio": ["durationMs": 550, "dampingRatio": 1],
        "remotion": ["mass": 1, "stiffness": 100, "damping": 10],
        "svelte": ["stiffness": 0.15, "damping": 0.8],
        "settling": ["overshoot": 0, "epsilon": 0.001],
        "swiftui.settlingDuration": ["epsilon": 0.001],
        "flutter.physical": ["mass": 1], "physical": ["mass": 1], "uikit": ["mass": 1], "swiftui.physical": ["mass": 1],
    ]

    @Test("are those of the platform, and other conventions have none", arguments: Conventions.all.map(\.id))
    func defaults(id: String) throws {
        let parameters = try Conventions.named(id).parameters.filter { !$0.isFlag && $0.fallback != nil }
        let fallbacks = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.fallback ?? .nan) })
        #expect(fallbacks == Self.defaults[id] ?? [:])
    }
}
