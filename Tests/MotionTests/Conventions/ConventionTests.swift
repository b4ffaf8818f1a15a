import Foundation
import Motion
import SpringConventions
import TestSupport
import Testing

@Suite("Conventions")
struct ConventionTests {
    /// Typical springs, including critical and overdamped ones.
    static let springs: [Spring] = {
        var generator = SeededGenerator(seed: 42)
        return (0..<300).map { index in
            let ratio = index % 10 == 0 ? 1 : pow(10, Double.random(in: -2...0.7, using: &generator))
            let response = pow(10, Double.random(in: -2...1, using: &generator))
            let mass = index % 3 == 0 ? 1 : pow(10, Double.random(in: -2...2, using: &generator))
            return Spring(ratio: ratio, frequency: 2 * .pi / response, mass: mass)
        }
    }()

    /// Returns whether two springs draw the same curve, to 1e-9.
    static func isSame(_ one: Spring, _ other: Spring) -> Bool {
        abs(one.dampingRatio - other.dampingRatio) <= 1e-9 * max(1, one.dampingRatio)
            && abs(one.response - other.response) <= 1e-9 * one.response
    }

    @Test(
        "SwiftUI draws a very stiff spring slower, unless it has an initial velocity",
        arguments: ["swiftui.response", "swiftui.durationBounce", "swiftui.physical", "swiftui.settlingDuration"]
    )
    func swiftUICap(id: String) throws {
        let convention = try Conventions.named(id)
        let stiff = SpringCurve(Spring(ratio: 0.8, frequency: 300, mass: 1), initialVelocity: 0)
        let capped = convention.write(stiff)
        #expect(capped.warnings.contains(.drawnSlower))
        let drawn = try #require(capped.drawn).curve.spring
        #expect(abs(drawn.unitMassStiffness - 45_000) < 1e-6)
        #expect(abs(drawn.dampingRatio - 0.8) < 1e-12)
        let thrown = convention.write(SpringCurve(stiff.spring, initialVelocity: 2))
        #expect(!thrown.warnings.contains(.drawnSlower))
        for frequency in [212, 45_000.0.squareRoot()] {
            let soft = convention.write(
                SpringCurve(Spring(ratio: 0.8, frequency: frequency, mass: 1), initialVelocity: 0)
            )
            #expect(!soft.warnings.contains(.drawnSlower))
        }
    }

    @Test("a settling time and an overshoot are those of the spring, also where a turning point has the threshold")
    func settling() throws {
        for (overshoot, epsilon) in [(0.1, 0.001), (0.2, 0.04), (0.01, 0.0001), (0.3, 0.001)] {
            for duration in stride(from: 0.01, to: 2, by: 0.01) {
                let given = ["settlingDuration": duration, "overshoot": overshoot, "epsilon": epsilon]
                let curve = SpringCurve(try Convention.settling.read(given).spring)
                let time = try #require(curve.settlingTime(epsilon: epsilon))
                #expect(abs(time - duration) < 1e-6 * duration, "\(given)")
                #expect(abs(curve.overshoot - overshoot) < 1e-12)
            }
        }
    }

    @Test("the stiffest spring has parameters in each exact convention")
    func stiffest() throws {
        for convention in Conventions.all {
            let writing = convention.write(SpringCurve(Spring(ratio: 0.8, frequency: 1e5, mass: 1)))
            guard writing.isExact else { continue }
            let given = Dictionary(uniqueKeysWithValues: writing.parameters.map { ($0.name, $0.value) })
            #expect(throws: Never.self, "\(convention.id)") { try convention.read(given) }
        }
    }

    @Test("exact parameters read back as the same spring", arguments: Conventions.all.map(\.id))
    func roundTrip(id: String) throws {
        let convention = try Conventions.named(id)
        var exact = 0
        for spring in Self.springs {
            let writing = convention.write(SpringCurve(spring))
            let given = Dictionary(uniqueKeysWithValues: writing.parameters.map { ($0.name, $0.value) })
            #expect(writing.parameters.map(\.name) == convention.parameters.map(\.name))
            let reading = try convention.read(given)
            guard writing.isExact else { continue }
            exact += 1
            #expect(Self.isSame(spring, reading.spring), "\(spring) \(given)")
            #expect(reading.warnings.allSatisfy { !$0.changesSpring })
            let again = convention.write(SpringCurve(reading.spring))
            for (one, other) in zip(writing.parameters, again.parameters) {
                #expect(abs(one.value - other.value) <= 1e-9 * max(1, abs(one.value)))
            }
        }
        // anime.js rounds nearly every spring, and Flutter truncates nearly every response.
        #expect(exact > (id == "anime.durationBounce" || id == "flutter.durationBounce" ? -1 : 50))
    }

    @Test("inexact parameters come with the curve that they draw", arguments: Conventions.all.map(\.id))
    func drawn(id: String) throws {
        let convention = try Conventions.named(id)
        for spring in Self.springs {
            let writing = convention.write(SpringCurve(spring))
            let given = Dictionary(uniqueKeysWithValues: writing.parameters.map { ($0.name, $0.value) })
            let meant = try convention.read(given).spring
            // The parameters are exact but the drawing is not. EulerStepsTests and `swiftUICap` cover it.
            if writing.warnings.contains(where: { !$0.changesSpring }) { continue }
            let drawn = try #require(writing.drawn).curve.spring
            if writing.warnings.contains(.overdampedDrawnAsCritical) {
                #expect(drawn.dampingRatio == 1)
                #expect(abs(meant.response - drawn.response) <= 1e-9 * meant.response)
            } else if id != "anime.durationBounce" {
                #expect(Self.isSame(meant, drawn), "\(spring) \(given)")
            }
        }
    }

    @Test("Flutter's duration is exact in whole milliseconds, otherwise there is a warning")
    func milliseconds() throws {
        let whole = Convention.flutterDurationBounce.write(
            SpringCurve(try Spring(dampingRatio: 0.7, response: 0.35))
        )
        #expect(whole.isExact)
        let broken = Convention.flutterDurationBounce.write(
            SpringCurve(try Spring(dampingRatio: 0.7, response: 0.3504))
        )
        #expect(broken.warnings == [.durationTruncated])
        #expect(broken.drawn?.curve.spring.response == 0.35)
    }

    /// Research, section 1, "The dearest trap": duration 0.5 s and these bounces in SwiftUI and in Motion.
    @Test(
        "the same duration and bounce are different springs in SwiftUI and Motion",
        arguments: [
            (0.0, 341.02, 0.206), (0.15, 302.04, 0.194), (0.3, 387.27, 0.301), (0.5, 646.88, 0.555),
            (0.7, 1469.92, 0.993),
        ]
    )
    func trap(bounce: Double, stiffness: Double, distance: Double) throws {
        let apple = try Convention.swiftUIDurationBounce.read(["duration": 0.5, "bounce": bounce])
        let motion = try Convention.motionDurationBounce.read(["durationMs": 500, "bounce": bounce])
        #expect(abs(apple.spring.stiffness - 157.91) < 0.005)
        #expect(abs(motion.spring.stiffness - stiffness) < 0.005)
        let gap = SpringCurve(apple.spring).distance(to: SpringCurve(motion.spring))
        #expect(abs(gap.maximum - distance) < 5e-4)
    }

    /// Research, section 2: the error of React Native and Reanimated.
    @Test("overdamped drawn as critical has this error", arguments: [(1.2, 0.080), (2.0, 0.286), (4.0, 0.520)])
    func critical(ratio: Double, distance: Double) throws {
        let curve = SpringCurve(try Spring(dampingRatio: ratio, response: 0.4))
        for convention in [
            Convention.reactNativePhysical, .reanimatedPhysical, .origami, .reanimatedDurationRatio, .uikit, .wwdc,
        ] {
            let writing = convention.write(curve)
            #expect(writing.warnings == [.overdampedDrawnAsCritical])
            #expect(abs(try #require(writing.drawn).distance(from: curve).maximum - distance) < 6e-4)
        }
    }

    @Test("the extremes of every convention describe a finite spring", arguments: Conventions.all.map(\.id))
    func corners(id: String) throws {
        let convention = try Conventions.named(id)
        var corners: [[String: Double]] = [[:]]
        for parameter in convention.parameters where !parameter.isFlag {
            let range = parameter.range
            let low = range.includesLower ? range.lower : range.lower + max(1e-9, abs(range.lower) * 1e-9)
            corners = corners.flatMap { corner in
                [low, range.upper].map { value in corner.merging([parameter.name: value]) { $1 } }
            }
        }
        for corner in corners {
            do throws(MotionError) {
                let spring = try convention.read(corner).spring
                #expect(spring.naturalFrequency.isNormal && spring.dampingRatio.isFinite && spring.response.isNormal)
                #expect(spring.stiffness.isFinite && spring.damping.isFinite)
                for other in Conventions.all {
                    for parameter in other.write(SpringCurve(spring)).parameters {
                        #expect(parameter.value.isFinite, "\(other.id) \(spring)")
                    }
                }
            } catch {
                switch error {
                case .noSpring, .springOutOfRange: break
                default: throw error
                }
            }
        }
    }

    @Test(
        "parameters determine their convention",
        arguments: [
            (["dampingRatio", "response"], "wwdc"), (["damping", "response"], "wwdc"),
            (["stiffness", "damping"], "physical"), (["mass", "stiffness", "damping", "allowOverDamping"], "physical"),
            (["duration", "bounce"], "swiftui.durationBounce"),
            (["settlingDuration", "dampingRatio"], "swiftui.settlingDuration"),
            (["settlingDuration", "overshoot"], "settling"), (["duration", "dampingRatio"], "uikit.durationRatio"),
            (["stiffness", "dampingRatio"], "android"), (["mass", "stiffness", "ratio"], "flutter.dampingRatio"),
            (["frequency", "damping"], "reactspring.frequency"),
            (["visualDuration", "bounce"], "motion.visualDurationBounce"),
            (["bounciness", "speed"], "reactnative.bouncinessSpeed"),
            (["durationMs", "dampingRatio"], "reanimated.durationRatio"),
            ([String](), "wwdc"), (["response"], "wwdc"),
            (["tension", "friction", "mass"], "reactspring.tensionFriction"),
            (["stiffness", "damping", "mass", "overshootClamping"], "remotion"),
        ]
    )
    func inference(names: [String], id: String) throws {
        #expect(try Conventions.inferred(from: names).id == id)
    }

    @Test("some names of several conventions require the name of one")
    func ambiguity() {
        #expect(
            throws: MotionError.ambiguousConvention(
                parameters: ["tension"],
                candidates: ["reactspring.tensionFriction", "origami"]
            )
        ) { try Conventions.inferred(from: ["tension"]) }
    }

    @Test("names of conventions are unique and include aliases")
    func names() throws {
        let names = Conventions.all.flatMap { [$0.id] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(try Conventions.named("motion").id == "motion.visualDurationBounce")
        #expect(throws: MotionError.self) { try Conventions.named("WWDC") }
    }

    @Test("code has the units of its library: Motion's duration is in seconds, an overshoot in percent")
    func units() throws {
        let curve = SpringCurve(try Spring(dampingRatio: 0.5, response: 0.5))
        let motion = Convention.motionDurationBounce.write(curve)
        let seconds = try #require(motion.snippet.firstMatch(of: /duration: ([0-9.]+)/)).1
        #expect(abs(try #require(Double(seconds)) - motion.parameters["durationMs"] / 1000) < 1e-9)
        let settling = Convention.settling.write(curve)
        let percent = try #require(settling.snippet.firstMatch(of: /overshoots by ([0-9.]+) %/)).1
        #expect(abs(try #require(Double(percent)) - 100 * curve.overshoot) < 1e-6)
    }

    @Test(
        "code for a new version of a platform has the older spelling beside it",
        arguments: [
            (
                "swiftui.durationBounce", 0, "iOS 17 and macOS 14",
                "Animation.spring(response: 0.5, dampingFraction: 0.8)"
            ),
            ("swiftui.response", 0, "iOS 17 and macOS 14", "Animation.spring(response: 0.5, dampingFraction: 0.8)"),
            (
                "swiftui.physical", 2, "iOS 17 and macOS 14",
                "Animation.interpolatingSpring(stiffness: 157.9136704, damping: 20.10619298, initialVelocity: 2)"
            ),
            (
                "coreanimation.perceptualDurationBounce", 2, "iOS 17 and macOS 14",
                """
                let animation = CASpringAnimation()
                (animation.stiffness, animation.damping) = (157.9136704, 20.10619298)
                animation.initialVelocity = 2
                """
            ),
            (
                "flutter.durationBounce", 0, "Flutter 3.32",
                """
                SpringSimulation(SpringDescription.withDampingRatio(mass: 1, stiffness: 157.9136704, ratio: 0.8), 0, 1, 0)
                """
            ),
        ] as [(String, Double, String, String)]
    )
    func olderSpellings(id: String, velocity: Double, version: String, older: String) throws {
        let curve = SpringCurve(try Spring(dampingRatio: 0.8, response: 0.5), initialVelocity: velocity)
        let parts = try Conventions.named(id).write(curve).snippet.components(
            separatedBy: "\n\n// Before \(version):\n"
        )
        #expect(parts.count == 2 && parts.last == older)
    }

    @Test(
        "numbers in snippets have at most ten significant digits",
        arguments: [
            (0.30000000000000004, "0.3"), (100.0, "100"), (246.74011002723395, "246.74011"), (1.0 / 3, "0.3333333333"),
            (-2.5, "-2.5"), (0.0, "0"), (12345678901.0, "12345678900"), (1e-7, "1e-07"),
        ]
    )
    func numbers(number: Double, text: String) {
        #expect(number.snippet == text)
    }
}
