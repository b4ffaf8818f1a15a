extension Convention {
    /// SwiftUI's response and damping ratio.
    static let swiftUIResponse = Convention(
        id: "swiftui.response",
        title: "Spring(response:dampingRatio:)",
        source: "OpenSwiftUIProject/OpenSwiftUI, Spring+ResponseDampingRatio.swift",
        parameters: [
            .number("response", .response, in: .directResponse, of: .directPeriod, unit: "seconds"),
            .number("dampingRatio", .dampingRatio, in: .directRatio),
        ],
        drawing: \.drawnBySwiftUI,
        snippet: { curve in
            let (response, ratio) = (curve.spring.response, curve.spring.dampingRatio)
            return curve.swiftUI("response: \(response.snippet), dampingRatio: \(ratio.snippet)")
        }
    )

    /// SwiftUI's perceptual duration and bounce.
    ///
    /// Motion gives both names another meaning.
    static let swiftUIDurationBounce = Convention(
        id: "swiftui.durationBounce",
        title: "Spring(duration:bounce:)",
        source: "OpenSwiftUIProject/OpenSwiftUI, FluidSpringAnimation.swift",
        parameters: .durationBounce,
        isInferred: true,
        drawing: \.drawnBySwiftUI,
        snippet: { curve in
            curve.swiftUI("duration: \(curve.spring.response.snippet), bounce: \(curve.spring.bounce.snippet)")
        }
    )

    /// SwiftUI's physical spring, which is limited to critical damping by default.
    static let swiftUIPhysical = Convention(
        id: "swiftui.physical",
        title: "Spring(mass:stiffness:damping:allowOverDamping:)",
        source: "Apple, Spring; skevy/wobble, src/index.ts has the same default",
        parameters: .massStiffnessDamping() + [.flag("allowOverDamping", default: false)],
        read: { values throws(MotionError) in try values.physical() },
        write: { curve in
            let spring = curve.spring
            let isOverdamped = spring.regime == .overdamped
            return ConventionWriting(
                [("mass", spring.mass), ("stiffness", spring.stiffness), ("damping", spring.damping)],
                flags: [("allowOverDamping", isOverdamped)],
                snippet: curve.swiftUI(curve.physicalMembers() + (isOverdamped ? ", allowOverDamping: true" : "")),
                drawn: curve.drawnBySwiftUI.curve,
                warnings: curve.drawnBySwiftUI.warnings
            )
        }
    )
}

extension SpringCurve {
    /// The curve that SwiftUI draws: an animation has a stiffness of at most 45 000 at a mass of 1; the ratio is kept.
    ///
    /// An interpolating spring, which is written for an initial velocity, has no such limit
    /// (OpenSwiftUIProject/OpenSwiftUI, FluidSpringAnimation.swift).
    var drawnBySwiftUI: Convention.Drawing {
        let highestFrequency = 45_000.0.squareRoot()
        guard initialVelocity == 0, spring.naturalFrequency > highestFrequency else { return (self, []) }
        return (with(ratio: spring.dampingRatio, frequency: highestFrequency), [.drawnSlower])
    }

    /// Returns the code of a SwiftUI animation with a spring of these members.
    func swiftUI(_ members: String) -> String {
        initialVelocity == 0
            ? "Animation.spring(Spring(\(members)))"
            : "Animation.interpolatingSpring(Spring(\(members)), initialVelocity: \(initialVelocity.snippet))"
    }
}

extension Spring {
    /// Creates the spring with Apple's perceptual duration (seconds) and bounce.
    ///
    /// - Throws: `MotionError.outOfRange` unless -1 < bounce ≤ 1.
    init(duration: Double, bounce: Double) throws(MotionError) {
        let bounce = try ParameterRange.openBounce.checked(bounce, "bounce")
        let ratio = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce)
        self.init(dampingRatio: try DampingRatio(ratio), response: try Response(duration))
    }
}

extension [ConventionParameter] {
    /// Apple's perceptual duration and bounce.
    static let durationBounce: [ConventionParameter] = [
        .number("duration", .response, in: .directResponse, of: .directPeriod, unit: "seconds"),
        .number("bounce", .bounce, in: .directBounce, of: .openBounce),
    ]
}

extension Convention {
    /// SwiftUI's spring with a settling duration.
    ///
    /// It is not the inverse of SwiftUI's `settlingDuration` property. The ratio is at most 1.
    static let swiftUISettlingDuration = Convention(
        id: "swiftui.settlingDuration",
        title: "Spring(settlingDuration:dampingRatio:epsilon:)",
        source: "OpenSwiftUIProject/OpenSwiftUI, Spring+SettlingDurationDampingRatio.swift",
        parameters: [
            .number("settlingDuration", in: ParameterRange(above: 0, upTo: 1e6), unit: "seconds"),
            .number("dampingRatio", in: ParameterRange(1e-9...100), of: ParameterRange(above: 0, upTo: 100)),
            .number("epsilon", in: ParameterRange(1e-12...0.5), default: 0.001),
        ],
        isInferred: true,
        read: { values throws(MotionError) in
            let ratio = min(values["dampingRatio"], 1)
            let duration = durations.clamped(values["settlingDuration"])
            let epsilon = values["epsilon"]
            guard let phase = EnvelopeDuration.phase(ratio: ratio, threshold: epsilon) else {
                throw .noSpring(
                    parameter: "dampingRatio",
                    reason: "is too small for a settling duration with an epsilon of \(epsilon.plain)"
                )
            }
            return ConventionReading(
                Spring(
                    dampingRatio: try Spring.DampingRatio(ratio),
                    response: try Spring.Response(2 * .pi * duration / phase)
                ),
                warnings: (ratio < values["dampingRatio"] ? [.ratioLimited] : [])
                    + (duration != values["settlingDuration"] ? [.durationLimited] : []),
                epsilon: epsilon
            )
        },
        write: { curve in
            let ratio = min(max(curve.spring.dampingRatio, leastRatio), 1)
            var warnings: [ConventionWarning] = ratio == curve.spring.dampingRatio ? [] : [.ratioLimited]
            let frequency = curve.spring.naturalFrequency
            // The threshold can be chosen. If the default leads to a duration that is not allowed, another one is used.
            var epsilon = 0.001
            var duration = EnvelopeDuration.phase(ratio: ratio, threshold: epsilon).map { $0 / frequency } ?? .infinity
            if !durations.contains(duration) {
                duration = durations.clamped(duration)
                if let other = EnvelopeDuration.threshold(ratio: ratio, phase: frequency * duration),
                    epsilons.contains(other)
                {
                    epsilon = other
                } else {
                    warnings.append(.durationLimited)
                }
            }
            let written = warnings.isEmpty ? curve : curve.drawnSettling(duration, ratio, epsilon)
            let (drawn, limits) = written.drawnBySwiftUI
            return ConventionWriting(
                [("settlingDuration", duration), ("dampingRatio", ratio), ("epsilon", epsilon)],
                snippet: curve.swiftUI(
                    """
                    settlingDuration: \(duration.snippet), dampingRatio: \(ratio.snippet), epsilon: \(epsilon.snippet)
                    """
                ),
                drawn: drawn,
                warnings: warnings + limits
            )
        }
    )

    /// SwiftUI clamps durations to this range, in seconds.
    private static let durations = ParameterRange(0.01...10)
    private static let epsilons = ParameterRange(1e-12...0.5)
    /// The smallest ratio that is written.
    ///
    /// It has a settling duration for the default threshold.
    private static let leastRatio = 0.0015
}

extension SpringCurve {
    /// Returns the curve that SwiftUI draws for a settling duration that was changed.
    fileprivate func drawnSettling(_ duration: Double, _ ratio: Double, _ epsilon: Double) -> SpringCurve {
        guard let phase = EnvelopeDuration.phase(ratio: ratio, threshold: epsilon) else { return self }
        return with(ratio: ratio, frequency: phase / duration)
    }

    /// Returns the curve with the same mass and velocity, another finite ratio and another finite positive frequency.
    func with(ratio: Double, frequency: Double) -> SpringCurve {
        SpringCurve(Spring(ratio: ratio, frequency: frequency, mass: spring.mass), initialVelocity: initialVelocity)
    }
}
