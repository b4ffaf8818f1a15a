import JSON
import Motion
import SpringConventions
import Testing

@testable import MotionFeature

/// The files of design tokens that are read, and the faults of those that are not.
@Suite("Files of design tokens")
struct DesignTokenFileTests {
    private func read(_ text: String) throws -> DesignTokens { try DesignTokens(Array(text.utf8)) }

    private func spring(_ value: String) throws -> Spring {
        let tokens = try read(#"{"a": {"$type": "spring", "$value": \#(value)}}"#)
        guard case .spring(_, _, let spring) = try #require(tokens.all.first).meaning else { throw Missing() }
        return spring
    }

    private struct Missing: Error {}

    @Test(
        "A spring has the parameters of any convention",
        arguments: [
            (#"{"dampingRatio": 0.8, "response": 0.3}"#, 0.8, 0.3),
            (#"{"damping": 0.85, "response": "300ms"}"#, 0.85, 0.3),
            (#"{"duration": {"value": 0.5, "unit": "s"}, "bounce": 0.25}"#, 0.75, 0.5),
            (#"{"mass": 1, "stiffness": 100, "damping": 12}"#, 0.6, 2 * Double.pi / 10),
            (#"{"stiffness": 100, "damping": 12}"#, 0.6, 2 * Double.pi / 10),
            (#"{"convention": "anime.durationBounce", "durationMs": "0.5s", "bounce": 0.5}"#, 0.5, 0.5),
            (#"{"convention": "anime.durationBounce", "durationMs": 500, "bounce": 0.5}"#, 0.5, 0.5),
            (
                #"{"convention": "swiftui.physical", "mass": 1, "stiffness": 100, "damping": 30, "allowOverDamping": true}"#,
                1.5, 2 * Double.pi / 10
            ),
        ]
    )
    func conventions(value: String, ratio: Double, response: Double) throws {
        let spring = try spring(value)
        #expect(abs(spring.dampingRatio - ratio) < 1e-12)
        #expect(abs(spring.response - response) < 1e-12)
    }

    @Test("A type is that of the design token, of its alias, or of the nearest group that has one")
    func types() throws {
        let tokens = try read(
            """
            {
              "a": {"$type": "duration", "$description": "Times", "b": {"$value": "1.5s"}, "$root": {"$value": "50ms"},
                "c": {"$type": "cubicBezier", "d": {"$value": [0, -1, 1, 2]}, "e": {"$value": "{a.b}"}}},
              "f": {"$value": "{g}", "$deprecated": true},
              "g": {"$value": "{h.i}", "$extensions": {"com.example": 1}},
              "h": {"i": {"$type": "spring", "$value": {"dampingRatio": "{h.j}", "response": "{h.k}"}},
                "j": {"$type": "number", "$value": 0.7}, "k": {"$value": "{a.$root}"}},
              "l": {"$type": "color", "$value": "#fff"}, "m": {"$value": "{l}"}
            }
            """
        )
        let found = tokens.all.map { token -> String in
            switch token.meaning {
            case .spring(let convention, _, let spring):
                "\(token.path) \(convention.id) \(spring.dampingRatio) \(spring.response)"
            case .cubicBezier(let numbers): "\(token.path) \(numbers)"
            case .duration(let seconds): "\(token.path) \(seconds)"
            }
        }
        #expect(
            found == [
                "a.b 1.5", "a.$root 0.05", "a.c.d [0.0, -1.0, 1.0, 2.0]", "a.c.e 1.5", "f wwdc 0.7 0.05",
                "g wwdc 0.7 0.05", "h.i wwdc 0.7 0.05", "h.k 0.05",
            ]
        )
        #expect(tokens.omitted == 3)
    }

    @Test("Texts of other types are left out, also if they begin with a brace")
    func braces() throws {
        let tokens = try read(
            """
            {"a": {"$type": "dimension", "b": {"$value": "{a.c} * 2"}, "c": {"$value": "4px"}},
             "d": {"$type": "string", "$value": "{hello} world"}, "e": {"$type": "duration", "$value": "1s"}}
            """
        )
        #expect(tokens.all.map(\.path) == ["e"] && tokens.omitted == 3)
    }

    @Test("The spring of the extensions has precedence over the type and the value, also by an alias")
    func extensions() throws {
        let tokens = try read(
            """
            {"a": {"$type": "cubicBezier", "$value": [0, 0, 1, 1],
                   "$extensions": {"springbar.spring": {"dampingRatio": 0.5, "response": 1}}},
             "b": {"$value": "{a}"},
             "c": {"$value": "{a}", "$extensions": {"springbar.spring": {"dampingRatio": 0.25, "response": 1}}}}
            """
        )
        let ratios = tokens.all.map { token -> Double in
            if case .spring(_, _, let spring) = token.meaning { spring.dampingRatio } else { 0 }
        }
        #expect(ratios == [0.5, 0.5, 0.25])
    }

    @Test(
        "A fault names its place and the rule",
        arguments: [
            ("[]", "document: must be an object, was an array"),
            (#"{"a": 1}"#, "/a: must be an object, was a number"),
            (#"{"a": {"$value": 1}}"#, "/a/$value: has no `$type`, and none of its groups has one"),
            (#"{"a": {"$type": "spring", "$value": 1}}"#, "/a/$value: must be an object, was a number"),
            (
                "{\"$type\": \"duration\", \"\u{e9}\": {\"$value\": \"1s\"}, \"e\u{301}\": {\"$value\": \"2s\"}}",
                "/e\u{301}: has the name of another design token, in another normalisation; rename one of them"
            ),
            (
                "{\"a.\u{301}b\": {\"$type\": \"duration\", \"$value\": \"1s\"}}",
                "/a.\u{301}b: is not supported; a name does not begin with `$` and has no `.`, `{` or `}`"
            ),
            (
                #"{"a": {"b": {"$type": "spring", "$value": {"response": 0.3}}}}"#,
                "/a/b/$value: `dampingRatio` is missing; `wwdc` requires it"
            ),
            (
                #"{"a": {"$type": "spring", "$value": {"dampingRatio": 0.8, "response": 90}}}"#,
                "/a/$value: `response` must be from 6.283185307179586e-05 to 60"
            ),
            (
                #"{"a": {"$type": "spring", "$value": {"durationMs": 500, "bounce": 0.2}}}"#,
                """
                /a/$value: `convention` is missing: `durationMs` and `bounce` mean different springs in \
                `motion.durationBounce` and `anime.durationBounce`; name one
                """
            ),
            (
                #"{"a": {"$type": "spring", "$value": {"dampingRatio": "60ms", "response": 1}}}"#,
                "/a/$value/dampingRatio: must be a number, was a string"
            ),
            (
                #"{"a": {"$type": "spring", "$value": {"dampingRatio": 1, "response": "{b}"}}}"#,
                "/a/$value/response: must be the path of a design token between braces"
            ),
            (
                #"{"a": {"$type": "cubicBezier", "$value": [0, 0, 1.5, 1]}}"#,
                "/a/$value: must be four numbers x1, y1, x2 and y2; x1 and x2 from 0 to 1"
            ),
            (
                #"{"a": {"$type": "cubicBezier", "$value": [0, 0, 1, 1, 1]}}"#,
                "/a/$value: must be four numbers x1, y1, x2 and y2; x1 and x2 from 0 to 1"
            ),
            (
                #"{"a": {"$type": "duration", "$value": {"value": 1, "unit": "s", "x": 1}}}"#,
                "/a/$value/x: is unknown; the members are value, unit"
            ),
            (
                #"{"a": {"$type": "duration", "$value": {"value": 1, "unit": "min"}}}"#,
                "/a/$value: must be a time of at most 1e6 s: `value`, and the `unit` ms or s"
            ),
            (
                #"{"a": {"$type": "duration", "$value": "-1ms"}}"#,
                "/a/$value: must be a time of at most 1e6 s: `value`, and the `unit` ms or s"
            ),
            (
                #"{"a": {"$type": "duration", "$value": "5"}}"#,
                "/a/$value: must be a time of at most 1e6 s: `value`, and the `unit` ms or s"
            ),
            (
                #"{"a": {"$value": 1, "b": {}}}"#,
                "/a/b: is unknown; the members are $value, $type, $description, $extensions, $deprecated"
            ),
            (
                #"{"a": {"$extends": "{b}"}}"#,
                "/a/$extends: is not supported; a name does not begin with `$` and has no `.`, `{` or `}`"
            ),
            (
                #"{"a.b": {}}"#,
                "/a.b: is not supported; a name does not begin with `$` and has no `.`, `{` or `}`"
            ),
            (#"{"a": {"$value": "{a}"}}"#, "/a/$value: leads to a cycle or too many aliases: a → a"),
            (
                #"{"a": {"$value": "{b}"}, "b": {"$value": "{c}"}, "c": {"$value": "{b}"}}"#,
                "/a/$value: leads to a cycle or too many aliases: a → b → c → b"
            ),
            (#"{"a": {}, "a": {}}"#, "/a: is repeated"),
        ]
    )
    func faults(text: String, fault: String) {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.description == fault)
    }

    @Test("The size, the number, the depth and the paths of design tokens, and chains of aliases are limited")
    func limits() throws {
        func file(_ count: Int, name: String = "t") -> String {
            let members = (0..<count).map { #""\#(name)\#($0)": {"$value": "1s"}"# }
            return #"{"$type": "duration", \#(members.joined(separator: ","))}"#
        }
        func aliases(_ count: Int) -> String {
            let members = (1...count).map { #""a\#($0)": {"$value": "{a\#($0 - 1)}"}"# }
            return #"{"a0": {"$type": "duration", "$value": "1s"}, \#(members.joined(separator: ","))}"#
        }
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"g":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        }
        let long = String(repeating: "n", count: 199)
        #expect(try read(file(1000)).all.count == 1000)
        #expect(try read(file(1, name: long)).all.count == 1)
        #expect(try read(aliases(16)).all.count == 17)
        #expect(try read(nested(63)).all.isEmpty)
        let space = String(repeating: " ", count: DesignTokens.maxBytes - file(1).utf8.count)
        #expect(try read(file(1) + space).all.count == 1)
        for text in [file(1001), file(11, name: long), aliases(17), nested(64), file(1) + space + " "] {
            #expect(throws: JSONError.self) { try read(text) }
        }
    }
}
