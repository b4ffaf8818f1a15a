import JSON
import Motion
import MotionFeature
import SpringConventions
import TestSupport
import Testing

/// The source files that are made from design tokens.
@Suite("Source files of design tokens")
struct DesignTokenSourceTests {
    private func source(_ text: String, _ platform: DesignTokens.Platform) throws -> String {
        try DesignTokens(Array(text.utf8)).source(for: platform)
    }

    private static let team = """
        {"motion": {
          "sheet": {"$type": "spring", "$description": "Sheets", "$value": {"dampingRatio": 0.8, "response": 0.3}},
          "ease-out": {"$type": "cubicBezier", "$value": [0, 0.5, 0.25, 1]},
          "Fast": {"$type": "duration", "$value": {"value": 187.5, "unit": "ms"}},
          "ink": {"$type": "color", "$value": "#000"}}}
        """

    @Test("Each platform has its language, its names and its units")
    func golden() throws {
        let head = "Made by Springbar from 3 design tokens, without 1 of other types. The hash of their file is "
        let error = "An error is the largest distance from the spring to what is drawn, as a share of the travel."
        func expect(_ platform: DesignTokens.Platform, _ expected: String, _ mark: (String, String) = ("// ", ""))
            throws
        {
            let text = try source(Self.team, platform)
            let hash = try #require(text.firstMatch(of: /file is ([0-9a-z]+)\./)).1
            #expect(text == "\(mark.0)\(head)\(hash).\(mark.1)\n\(mark.0)\(error)\(mark.1)\n\(expected)\n")
        }
        try expect(
            .swiftui,
            """
            import SwiftUI

            public enum Motion {
                // motion.sheet, error 0: Sheets
                public static let motionSheet = Spring(response: 0.3, dampingRatio: 0.8)
                // motion.ease-out
                public static let motionEaseOut = UnitCurve.bezier(startControlPoint: UnitPoint(x: 0, y: 0.5), \
            endControlPoint: UnitPoint(x: 0.25, y: 1))
                // motion.Fast
                public static let motionFast: Double = 0.1875
            }
            """
        )
        try expect(
            .compose,
            """
            package motion

            import androidx.compose.animation.core.*

            object Motion {
                // motion.sheet, error 0: Sheets
                fun <T> motionSheet() = SpringSpec<T>(dampingRatio = 0.8f, stiffness = 438.6490845f)
                // motion.ease-out
                val motionEaseOut = CubicBezierEasing(0f, 0.5f, 0.25f, 1f)
                // motion.Fast
                const val motionFast = 188
            }
            """
        )
        try expect(
            .flutter,
            """
            // ignore_for_file: unused_import
            import 'package:flutter/animation.dart';
            import 'package:flutter/physics.dart';

            abstract final class Motion {
                // motion.sheet, error 0: Sheets
                static const motionSheet = SpringDescription(mass: 1, stiffness: 438.6490845, damping: 33.51032164);
                // motion.ease-out
                static const motionEaseOut = Cubic(0, 0.5, 0.25, 1);
                // motion.Fast
                static const motionFast = Duration(microseconds: 187500);
            }
            """
        )
        try expect(
            .reactnative,
            """

            // motion.sheet, error 0: Sheets
            export const motionSheet = { stiffness: 438.6490845, damping: 33.51032164, mass: 1 } as const;
            // motion.ease-out
            export const motionEaseOut = [0, 0.5, 0.25, 1] as const;
            // motion.Fast
            export const motionFast = 187.5;
            """
        )
        try expect(
            .motion,
            """

            // motion.sheet, error 0: Sheets
            export const motionSheet = { type: "spring", stiffness: 438.6490845, damping: 33.51032164, mass: 1 } as const;
            // motion.ease-out
            export const motionEaseOut = [0, 0.5, 0.25, 1] as const;
            // motion.Fast
            export const motionFast = 0.1875;
            """
        )
        try expect(
            .css,
            """
            :root {
                /* motion.sheet, error 0.002: Sheets */
                --motion-sheet: 405ms linear(0, 0.0076 1.5%, 0.0318 3.2%, 0.0767 5.2%, 0.1499 7.7%, 0.2877 11.7%, \
            0.492 17.5%, 0.6091 21.2%, 0.7024 24.6%, 0.781 28%, 0.8466 31.5%, 0.9007 35.2%, 0.9438 39.2%, 0.9773 43.8%, \
            1.0003 49.2%, 1.013 56.2%, 1.0136 67.9%, 1);
                /* motion.ease-out */
                --motion-ease-out: cubic-bezier(0, 0.5, 0.25, 1);
                /* motion.Fast */
                --motion-fast: 187.5ms;
            }
            """,
            ("/* ", " */")
        )
    }

    @Test("A comment has the error of what the platform draws, and its reason")
    func errors() throws {
        let overdamped = #"{"a": {"b": {"$type": "spring", "$value": {"mass": 3, "stiffness": 1000, "damping": 500}}}}"#
        #expect(try source(overdamped, .reactnative).contains("// a.b, error 0.56 (overdampedDrawnAsCritical)\n"))
        #expect(try source(overdamped, .flutter).contains("// a.b, error 0\n"))
        let undamped = #"{"a": {"b": {"$type": "spring", "$value": {"dampingRatio": 0, "response": 1}}}}"#
        #expect(try source(undamped, .reactnative).contains("// a.b, not drawn (undampedRefused)\n"))
        let error = #expect(throws: JSONError.self) { try source(undamped, .css) }
        #expect(error?.description == "/a/b/$value: settles too slowly for a CSS easing; raise its damping")
        // One that swings more often than stops can follow, and one of hours.
        for ratio in ["0.0005", "0.00005"] {
            let text = undamped.replacing(": 0,", with: ": \(ratio),")
            #expect(#expect(throws: JSONError.self) { try source(text, .css) } == error)
        }
    }

    @Test("A CSS easing is within 0.002 of the spring, and its comment says so")
    func easings() throws {
        for ratio in [0.007, 0.05, 0.3, 0.8, 1, 2] {
            let curve = SpringCurve(try Spring(dampingRatio: ratio, response: 0.4))
            let (easing, duration, error) = try LinearEasing.along(curve, maxError: 0.002)
            #expect(error <= 0.002 && error > 0.001)
            #expect(easing.distance(to: curve, duration: duration, points: 100_000) <= 0.002)
            #expect(easing.css.hasPrefix("linear(0, ") && easing.css.hasSuffix(", 1)"))
            // The fewest stops are 13 for the ratio 1 (docs/linear.md).
            if ratio == 1 { #expect(easing.count <= 18) }
        }
    }

    @Test(
        "Names are the words of the path; one word gets another one, so that none is a keyword",
        arguments: [
            ("motion.sheet", "motionSheet", "motion-sheet"),
            ("Motion.Bottom Sheet", "motionBottomSheet", "motion-bottom-sheet"),
            ("easeOut.fast_2", "easeOutFast2", "ease-out-fast-2"), ("a.URLBar", "aUrlBar", "a-url-bar"),
            ("default", "motionDefault", "default"), ("in", "motionIn", "in"),
            ("2xl.card", "motion2xlCard", "2xl-card"),
            ("to.string", "motionToString", "to-string"), ("hash-code", "motionHashCode", "hash-code"),
            ("Café.größe", "cafGrE", "caf-gr-e"),
        ]
    )
    func names(path: String, camel: String, kebab: String) throws {
        let groups = path.split(separator: ".").map(String.init)
        let token = #"{"$type": "duration", "$value": "1s"}"#
        let text = groups.reversed().reduce(token) { #"{"\#($1)": \#($0)}"# }
        #expect(try source(text, .swiftui).contains("static let \(camel): Double = 1\n"))
        #expect(try source(text, .css).contains("--\(kebab): 1000ms;\n"))
    }

    @Test("Two design tokens of one name in code are an error that names both")
    func collisions() {
        let text = """
            {"$type": "duration", "a": {"big sheet": {"$value": "1s"}}, "a-big": {"sheet": {"$value": "2s"}}}
            """
        for (platform, name) in [(DesignTokens.Platform.compose, "aBigSheet"), (.css, "a-big-sheet")] {
            let error = #expect(throws: JSONError.self) { try source(text, platform) }
            #expect(error?.pointer == "/a-big/sheet/$value")
            #expect(error?.detail == "`a.big sheet` and `a-big.sheet` are both `\(name)` in code; rename one of them")
        }
        let error = #expect(throws: JSONError.self) {
            try source(#"{"$type": "duration", "é": {"$value": "1s"}}"#, .flutter)
        }
        #expect(error?.description == "/é/$value: must have a letter or digit of ASCII in its name")
    }

    @Test("CSS has at most 512 KiB, others have 300 springs of light damping; the error names the one that is too much")
    func length() throws {
        func file(_ ratio: Double, count: Int = 100) -> String {
            let springs = (0..<count).map { #""s\#($0)": {"$value": {"dampingRatio": \#(ratio), "response": 0.5}}"# }
            return #"{"$type": "spring", \#(springs.joined(separator: ","))}"#
        }
        #expect(try source(file(0.1), .css).utf8.count > 100_000)
        let error = #expect(throws: JSONError.self) { try source(file(0.007), .css) }
        // A spring of this ratio has 51 kB.
        #expect(
            error?.pointer == "/s10/$value" && error?.detail.contains("512 KiB") == true,
            "\(String(describing: error))"
        )
        #expect(try source(file(0.003), .swiftui).utf8.count < 20_000)
        let long = #expect(throws: JSONError.self) { try source(file(0, count: 301), .swiftui) }
        #expect(long?.pointer == "/s300/$value" && long?.detail.contains("300 springs") == true)
    }

    @Test("A description cannot end its comment", arguments: DesignTokens.Platform.allCases.dropLast())
    func comments(platform: DesignTokens.Platform) throws {
        let text = #"""
            {"a\nb": {"$type": "duration", "$value": "1s",
                      "$description": "w */\u0301 x */ y\nz\r\nv\u2028w\u2029u\u0085t\u000bs\u000cr"}}
            """#
        let lines = try source(text, platform).split(whereSeparator: \.isNewline)
        let plain = try source(
            text.replacing(#""$description": "#, with: #""$extensions": {}, "$deprecated": "#),
            platform
        )
        #expect(lines.count == plain.split(whereSeparator: \.isNewline).count)
        #expect(
            lines.allSatisfy {
                $0.unicodeScalars.ranges(of: ["*", "/"]).count == (platform == .css && $0.contains("/*") ? 1 : 0)
            }
                || platform != .css
        )
    }

    @Test("The same file has the same bytes, and another one another hash")
    func deterministic() throws {
        for platform in DesignTokens.Platform.allCases {
            #expect(try source(Self.team, platform) == source(Self.team, platform))
        }
        #expect(try source(Self.team, .css) != source(Self.team + " ", .css))
    }

    private static let extremes: [String] = {
        let magnitudes = [
            "0", "5e-324", "3.77e-307", "1e-307", "1e-100", "1e-70", "1e-14", "1e-9", "6.2e-5", "1e-4", "0.001", "0.1",
            "0.5", "1", "10", "60", "100", "1e3", "3600", "1e5", "1e6", "1e9", "1e12", "1e15", "1e100",
            "1.7976931348623157e308",
        ]
        return magnitudes + magnitudes.map { "-" + $0 }
    }()

    @Test("Extreme numbers in every convention are refused, or are finite in the code of every platform")
    func extremes() throws {
        for convention in Conventions.all {
            for number in Self.extremes {
                let members = convention.parameters.map { #""\#($0.name)": \#($0.isFlag ? "true" : number)"# }
                let value = #"{"convention": "\#(convention.id)", \#(members.joined(separator: ","))}"#
                let file = Array(#"{"a": {"b": {"$type": "spring", "$value": \#(value)}}}"#.utf8)
                guard let tokens = try? DesignTokens(file) else { continue }
                for platform in DesignTokens.Platform.allCases {
                    guard let code = try? tokens.source(for: platform) else {
                        #expect(platform == .css, "\(value)")
                        continue
                    }
                    #expect(!code.contains("nan") && !code.contains("inf"), "\(value) \(code)")
                }
            }
        }
    }

    /// In a release build a hundred easings take 12 ms, and the smallest `linear()` of one spring takes 15 ms.
    @Test("A hundred springs take less time than three `linear()`, and twice as many about twice the time")
    func work() throws {
        func file(_ count: Int) -> String {
            let springs = (0..<count).map { index in
                #""s\#(index)": {"$value": {"dampingRatio": \#(0.3 + 0.7 * Double(index) / Double(count)), "response": 0.4}}"#
            }
            return #"{"motion": {"$type": "spring", \#(springs.joined(separator: ","))}}"#
        }
        let curve = SpringCurve(try Spring(dampingRatio: 0.8, response: 0.3))
        let easing = try processorTime { _ = try LinearFit(curve, maxError: 0.002) }
        for platform in DesignTokens.Platform.allCases {
            let (once, twice) = (file(100), file(200))
            let time = try (0..<3).map { _ in try processorTime { _ = try source(once, platform) } }.max() ?? .zero
            #expect(time < easing * 3, "\(platform): \(time), \(easing)")
            #expect(try processorTime { _ = try source(twice, platform) } < time * 4, "\(platform): \(time)")
        }
    }
}
