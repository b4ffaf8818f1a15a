import Foundation
import Motion
import SpringConventions
import Testing

@Suite("The range of springs")
struct SpringRangeTests {
    /// Returns a curve with a ratio and a natural frequency in radians per second.
    static func curve(_ ratio: Double, _ frequency: Double, _ velocity: Double = 0) -> SpringCurve {
        SpringCurve(Spring(ratio: ratio, frequency: frequency, mass: 1), initialVelocity: velocity)
    }

    @Test(
        "ends at 1e-4 and 1e5 rad/s, and at a settling time of 1e6 s",
        arguments: [
            (0.8, 1e-4, true), (0.8, 0.999e-4, false), (0.8, 1e5, true), (0.8, 1.001e5, false), (0, 1e-4, true),
            (0, 1e5, true), (0, 1.001e5, false), (Double.leastNonzeroMagnitude, 1, false), (3.77e-307, 0.1, false),
            (6e-6, 1, false),
            (8e-6, 1, true), (1e9, 1e5, true), (1e11, 1e5, false), (1, Double.leastNonzeroMagnitude, false),
            (1, .infinity, false),
        ]
    )
    func ends(ratio: Double, frequency: Double, isAllowed: Bool) {
        #expect((SpringRange.fault(of: Self.curve(ratio, frequency), epsilon: 0.001) == nil) == isAllowed)
    }

    @Test("a velocity or an epsilon may lead out of it")
    func curves() throws {
        // It decays to a thousandth in 6.9e5 s, and to a millionth in twice that time.
        let slow = Self.curve(1e-5, 1)
        #expect(SpringRange.fault(of: slow, epsilon: 0.001) == nil)
        #expect(SpringRange.fault(of: slow, epsilon: 1e-6) != nil)
        let fault = try #require(SpringRange.fault(of: Self.curve(1e-5, 1, 1e6), epsilon: 0.001))
        #expect(fault.reason.contains("within 1e6 s"))
    }

    @Test(
        "only the parameters that lead out of it are named",
        arguments: [
            ("wwdc", ["dampingRatio": 0.8, "response": 1e-70], ["response"]),
            ("wwdc", ["damping": 0.8, "response": 1e-14], ["response"]),
            ("wwdc", ["damping": 3.77e-307, "response": 60], ["damping", "response"]),
            ("swiftui.durationBounce", ["duration": 1e-101, "bounce": 0.3], ["duration"]),
            ("swiftui.response", ["response": 1e-100, "dampingRatio": 1], ["response"]),
            ("flutter.dampingRatio", ["mass": 1e-9, "stiffness": 1e12, "ratio": 1e-9], ["mass", "stiffness"]),
            ("physical", ["mass": 1, "stiffness": 1e-9, "damping": 0], ["mass", "stiffness"]),
            ("physical", ["stiffness": 100, "damping": 1e12], ["stiffness", "damping"]),
            ("android", ["stiffness": 1e-9, "dampingRatio": 1], ["stiffness"]),
            ("anime.durationBounce", ["durationMs": 1e-3, "bounce": 0.5], ["durationMs"]),
            ("motion", ["visualDuration": 1e-300, "bounce": 0.3], ["visualDuration"]),
            ("coreanimation.perceptualDurationBounce", ["duration": 1, "bounce": -0.999_999_999_999], ["bounce"]),
            ("reanimated.durationRatio", ["durationMs": 1e9, "dampingRatio": 100], ["durationMs", "dampingRatio"]),
        ] as [(String, [String: Double], [String])]
    )
    func names(id: String, given: [String: Double], names: [String]) throws {
        do throws(MotionError) {
            _ = try Conventions.named(id).read(given)
            Issue.record("\(id) \(given) is in the range")
        } catch {
            guard case .springOutOfRange(let findings) = error else { throw error }
            #expect(findings.map(\.parameter) == names)
            #expect(findings.allSatisfy { $0.reason.contains("must ") })
        }
    }

    /// A parameter of a convention and one end of its range.
    struct End: Sendable, CustomTestStringConvertible {
        let id: String
        let name: String
        let inside: Double
        let outside: Double

        var testDescription: String { "\(id) \(name)=\(inside)" }
    }

    static let publishedEnds: [End] = Conventions.all.flatMap { convention in
        convention.parameters.flatMap { parameter -> [End] in
            guard !parameter.isFlag else { return [] }
            let range = parameter.range
            let step = { (end: Double) in max(abs(end) * 1e-6, 1e-15) }
            return [
                End(
                    id: convention.id,
                    name: parameter.name,
                    inside: range.includesLower ? range.lower : range.lower + .leastNonzeroMagnitude,
                    outside: range.includesLower ? range.lower - step(range.lower) : range.lower
                ),
                End(
                    id: convention.id,
                    name: parameter.name,
                    inside: range.upper,
                    outside: range.upper + step(range.upper)
                ),
            ]
        }
    }

    @Test("both ends of a published range are exact", arguments: publishedEnds)
    func published(end: End) throws {
        let convention = try Conventions.named(end.id)
        // Returns whether values of the other parameters exist with which this value describes a spring.
        func isKept(_ value: Double) -> Bool {
            var given: [[String: Double]] = [[end.name: value]]
            for parameter in convention.parameters where parameter.name != end.name {
                guard !parameter.isFlag else { continue }
                let range = parameter.range
                let low = range.includesLower ? range.lower : range.lower + .leastNonzeroMagnitude
                let others =
                    [low, range.upper, parameter.fallback].compactMap { $0 } + [-0.5, 0, 0.5]
                    + stride(from: -9.0, through: 12, by: 1).map { pow(10, $0) } + [value * exp(-1e-3)]
                given = given.flatMap { given in
                    others.filter(range.contains).map { given.merging([parameter.name: $0]) { $1 } }
                }
            }
            return given.contains { (try? convention.read($0)) != nil }
        }
        #expect(isKept(end.inside))
        #expect(!isKept(end.outside))
    }

    @Test("time scales: a spring k times as slow settles k times as late", arguments: [1e-3, 0.1, 7, 1e3, 1e4])
    func scaling(factor: Double) throws {
        for ratio in [1e-3, 0.01, 0.3, 0.8, 0.999_999, 1, 1.000_001, 3, 100] {
            for velocity in [-3.0, 0, 5] {
                let one = Self.curve(ratio, 1, velocity)
                let other = Self.curve(ratio, 1 / factor, velocity / factor)
                let (time, scaled) = (
                    try #require(one.settlingTime(epsilon: 0.001)), other.settlingTime(epsilon: 0.001)
                )
                #expect(abs(try #require(scaled) - factor * time) <= 1e-9 * factor * time, "\(ratio) \(velocity)")
                #expect(abs(one.overshoot - other.overshoot) <= 1e-9 * max(1, one.overshoot))
            }
        }
    }

    @Test(
        "numbers in messages and plots keep their digits",
        arguments: [
            (0.0005, "0.0005"), (6.283185307179586e-05, "0.0000628"), (0.345, "0.345"), (62831.85, "62831.85"),
            (1.0 / 3, "0.333"), (0.09876, "0.0988"), (-0.00123456, "-0.00123"), (0, "0"), (1e6, "1000000"),
            (Double.leastNonzeroMagnitude, "5e-324"),
        ]
    )
    func readable(number: Double, text: String) {
        #expect(number.readable == text)
    }

    @Test(
        "numbers in messages stay short",
        arguments: [(1_099_403_398.0, "1.1e9"), (1e6, "1e6"), (3.77e-307, "3.77e-307"), (12.5, "12.5")]
    )
    func rough(number: Double, text: String) {
        #expect(number.rough == text)
    }
}
