package import Motion

package enum Conventions {
    package static let all: [Convention] = [
        .wwdc, .physical, .settling, .uikit, .uikitDurationRatio,
        .swiftUIResponse, .swiftUIDurationBounce, .swiftUIPhysical, .swiftUISettlingDuration,
        .coreAnimationPerceptualDurationBounce,
        .android, .compose,
        .flutterPhysical, .flutterDampingRatio, .flutterDurationBounce,
        .reactSpringTensionFriction, .reactSpringFrequency,
        .motionPhysical, .motionDurationBounce, .motionVisualDurationBounce,
        .reactNativePhysical, .reactNativeBouncinessSpeed, .origami,
        .reanimatedPhysical, .reanimatedDurationRatio,
        .animeDurationBounce, .animePhysical,
        .svelte, .remotion, .figma,
    ]

    package static let parameterNames: [String] = all.flatMap(\.parameters).flatMap(\.names).reduce(into: []) {
        if !$0.contains($1) { $0.append($1) }
    }

    package static let flagNames = all.flatMap(\.parameters).filter(\.isFlag).map(\.name)

    /// Returns the convention with an id or an alias.
    package static func named(_ id: String) throws(MotionError) -> Convention {
        for convention in all where convention.id == id || convention.aliases.contains(id) { return convention }
        throw .unknownConvention(id, known: all.map(\.id))
    }

    /// Returns the convention that the parameter names of a request determine; `wwdc` if there are none.
    package static func inferred(from names: [String]) throws(MotionError) -> Convention {
        guard !names.isEmpty else { return .wwdc }
        let candidates = all.filter { $0.matches(names) }
        // For some of one convention's parameters, its own error lists the missing ones.
        for conventions in [candidates, all.filter { names.allSatisfy($0.hasParameter) }] where !conventions.isEmpty {
            if let convention = conventions.first(where: \.isInferred) { return convention }
            guard conventions.count == 1 else {
                throw .ambiguousConvention(parameters: names, candidates: conventions.map(\.id))
            }
            return conventions[0]
        }
        throw .noConvention(parameters: names)
    }
}
