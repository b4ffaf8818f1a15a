extension DesignTokens {
    package enum Platform: String, CaseIterable, Sendable {
        case swiftui, compose, flutter, css, reactnative, motion, json

        package var fileName: String { language?.file ?? "motion.json" }

        /// The language of the source file; nil for JSON.
        ///
        /// Its lines declare a spring in the convention (none in CSS), a cubic Bézier and a duration; `#name#` is filled in.
        var language: (file: String, convention: String, opening: String, declarations: String)? {
            switch self {
            case .swiftui:
                (
                    "Motion.swift", "swiftui.response", "import SwiftUI\n\npublic enum Motion {",
                    """
                    public static let #name# = Spring(response: #response#, dampingRatio: #dampingRatio#)
                    public static let #name# = UnitCurve.bezier(startControlPoint: UnitPoint(x: #x1#, y: #y1#), \
                    endControlPoint: UnitPoint(x: #x2#, y: #y2#))
                    public static let #name#: Double = #s#
                    """
                )
            case .compose:
                (
                    "Motion.kt", "compose",
                    "package motion\n\nimport androidx.compose.animation.core.*\n\nobject Motion {",
                    """
                    fun <T> #name#() = SpringSpec<T>(dampingRatio = #dampingRatio#f, stiffness = #stiffness#f)
                    val #name# = CubicBezierEasing(#x1#f, #y1#f, #x2#f, #y2#f)
                    const val #name# = #wholeMs#
                    """
                )
            case .flutter:
                (
                    "motion.dart", "flutter.physical",
                    "// ignore_for_file: unused_import\nimport 'package:flutter/animation.dart';\n"
                        + "import 'package:flutter/physics.dart';\n\nabstract final class Motion {",
                    """
                    static const #name# = SpringDescription(mass: #mass#, stiffness: #stiffness#, damping: #damping#);
                    static const #name# = Cubic(#x1#, #y1#, #x2#, #y2#);
                    static const #name# = Duration(microseconds: #us#);
                    """
                )
            case .css:
                (
                    "motion.css", "", ":root {",
                    """
                    --#name#: #ms#ms #linear#;
                    --#name#: cubic-bezier(#x1#, #y1#, #x2#, #y2#);
                    --#name#: #ms#ms;
                    """
                )
            case .reactnative, .motion:
                (
                    "motion.ts", "\(rawValue).physical", "",
                    """
                    export const #name# = { \(self == .motion ? "type: \"spring\", " : "")stiffness: #stiffness#, \
                    damping: #damping#, mass: #mass# } as const;
                    export const #name# = [#x1#, #y1#, #x2#, #y2#] as const;
                    export const #name# = #\(self == .motion ? "s" : "ms")#;
                    """
                )
            case .json: nil
            }
        }
    }
}
