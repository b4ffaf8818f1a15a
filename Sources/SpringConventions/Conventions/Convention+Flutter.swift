import Motion

extension Convention {
    static let flutterPhysical = Convention(
        id: "flutter.physical",
        title: "SpringDescription(mass, stiffness, damping)",
        source: "flutter/flutter, physics/spring_simulation.dart",
        parameters: .massStiffnessDamping(),
        isUnitMass: true,
        snippet: { $0.flutter("SpringDescription(\($1.members))") }
    )

    static let flutterDampingRatio = Convention(
        id: "flutter.dampingRatio",
        title: "SpringDescription.withDampingRatio(mass, stiffness, ratio)",
        source: "flutter/flutter, physics/spring_simulation.dart",
        parameters: [
            .number("mass", .mass, in: .directPhysics, default: 1),
            .number("stiffness", .stiffness, in: .directPhysics),
            .number("ratio", .dampingRatio, in: .directRatio, default: 1),
        ],
        isInferred: true,
        isUnitMass: true,
        snippet: { $0.flutter("SpringDescription.withDampingRatio(\($1.members))") }
    )

    /// Flutter's duration and bounce: Apple's, with the duration truncated to whole milliseconds.
    package static let flutterDurationBounce = Convention(
        id: "flutter.durationBounce",
        title: "SpringDescription.withDurationAndBounce(duration, bounce)",
        source: "flutter/flutter, physics/spring_simulation.dart",
        parameters: [
            .number("duration", .response, in: ParameterRange(0.001...60), default: 0.5),
            // Its shortest duration is a millisecond, so it settles later than others at the same bounce.
            .number("bounce", in: ParameterRange(-0.999_999_99...1), of: .openBounce, default: 0),
        ],
        reader: { values throws(MotionError) in
            let milliseconds = (values["duration"] * 1000).nearlyWhole(.down)
            let whole = [("duration", milliseconds / 1000), ("bounce", values["bounce"])]
            var reading = try ConventionReading(whole, of: swiftUIDurationBounce)
            if milliseconds / 1000 != values["duration"] { reading.warnings.append(.durationTruncated) }
            return reading
        },
        writer: { spring in
            let duration = max(1, (spring.response * 1000).rounded()) / 1000
            let isExact = abs(duration - spring.response) <= 1e-12 * spring.response
            return ([("duration", duration), ("bounce", spring.bounce)], isExact ? [] : [.durationTruncated])
        },
        snippet: { curve, values in
            let milliseconds = (values["duration"] * 1000).rounded().plain
            let members = "duration: Duration(milliseconds: \(milliseconds)), bounce: \(values["bounce"].snippet)"
            let (stiffness, ratio) = (curve.spring.unitMassStiffness.snippet, curve.spring.dampingRatio.snippet)
            let older = "SpringDescription.withDampingRatio(mass: 1, stiffness: \(stiffness), ratio: \(ratio))"
            return curve.flutter("SpringDescription.withDurationAndBounce(\(members))")
                + "\n\n// Before Flutter 3.32:\n" + curve.flutter(older)
        }
    )
}

extension SpringCurve {
    fileprivate func flutter(_ description: String) -> String {
        "SpringSimulation(\(description), 0, 1, \(initialVelocity.snippet))"
    }
}

extension Double {
    /// Returns the number rounded by the rule, or to nearest if it differs from an integer only by its own rounding.
    func nearlyWhole(_ rule: FloatingPointRoundingRule) -> Double {
        abs(self - rounded()) <= 1e-9 ? rounded() : rounded(rule)
    }
}
