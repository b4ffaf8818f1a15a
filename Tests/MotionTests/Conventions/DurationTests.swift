import Foundation
import Motion
import SpringConventions
import TestSupport
import Testing

@Suite("Springs with a duration")
struct DurationTests {
    @Test("a settling time and an overshoot are those of the spring, and are read back to 1e-9")
    func settling() throws {
        var generator = SeededGenerator(seed: 8)
        for round in 0..<300 {
            let time = pow(10, Double.random(in: -2...2, using: &generator))
            let overshoot = round % 5 == 0 ? 0 : pow(10, Double.random(in: -12...(-0.01), using: &generator))
            let epsilon = pow(10, Double.random(in: -6...(-0.5), using: &generator))
            let given = ["settlingDuration": time, "overshoot": overshoot, "epsilon": epsilon]
            let spring = try Convention.settling.read(given).spring
            let curve = SpringCurve(spring)
            #expect(abs(try #require(curve.settlingTime(epsilon: epsilon)) - time) < 1e-9 * time)
            #expect(abs(curve.overshoot - overshoot) < 1e-9)
            #expect(overshoot > 0 || spring.regime == .critical)
            let written = Convention.settling.write(curve)
            #expect(written.isExact && abs(written.parameters["overshoot"] - overshoot) < 1e-9 * max(1e-3, overshoot))
            let values = written.parameters.map { ($0.name, $0.value) }
            let again = try Convention.settling.read(Dictionary(uniqueKeysWithValues: values)).spring
            #expect(ConventionTests.isSame(spring, again), "\(given)")
        }
    }

    @Test("an overdamped spring has no overshoot to express it, and an undamped one no time")
    func inexpressible() throws {
        for ratio in [0, 1e-4, 1.5, 1 - 1e-6] {
            let writing = Convention.settling.write(SpringCurve(Spring(ratio: ratio, frequency: 10, mass: 1)))
            #expect(writing.warnings == [.ratioLimited] && !writing.isExact && writing.drawn != nil)
        }
        let overdamped = Convention.settling.write(SpringCurve(Spring(ratio: 1.5, frequency: 10, mass: 1)))
        #expect(overdamped.drawn?.curve.spring.regime == .critical)
    }

    /// framer/SpringsExample, readme.md: a duration of 3 s and a damping of 0.25 are this tension and this friction.
    @Test("UIView.animate finds the stiffness that Framer's export has")
    func uiview() throws {
        let spring = try Convention.uikitDurationRatio.read(["duration": 3, "dampingRatio": 0.25]).spring
        #expect(abs(spring.stiffness - 54.83363359078326) < 1e-9 && abs(spring.damping - 3.702486785620688) < 1e-9)
        let writing = Convention.uikitDurationRatio.write(SpringCurve(spring))
        #expect(writing.isExact && abs(writing.parameters["duration"] - 3) < 1e-9)
        #expect(writing.snippet.contains("withDuration: 3, delay: 0"))
        let thrown = Convention.uikitDurationRatio.write(SpringCurve(spring, initialVelocity: 100))
        #expect(thrown.drawn == nil && thrown.warnings == [.solvedWithVelocity])
    }

    @Test("UIView.animate limits the ratio to 1 and the duration to 10 s")
    func limits() throws {
        let reading = try Convention.uikitDurationRatio.read(["duration": 20, "dampingRatio": 2])
        #expect(reading.spring.dampingRatio == 1 && reading.warnings == [.durationLimited, .ratioLimited])
        #expect(reading.spring == (try Convention.uikitDurationRatio.read(["duration": 10, "dampingRatio": 1]).spring))
    }

    @Test("the system's spring is drawn critically damped and ends after 0.506 s")
    func system() throws {
        let preset = try #require(Presets.all.first { $0.platform == "uikit" })
        let writing = Convention.uikit.write(SpringCurve(preset.spring))
        #expect(writing.warnings == [.overdampedDrawnAsCritical])
        let drawn = try #require(writing.drawn).curve
        #expect(abs(try #require(drawn.settlingTime(epsilon: 0.001)) - 0.506) < 5e-4)
    }

    @Test("anime.js limits a mass to at least 1, a stiffness and a damping to 10 000")
    func anime() throws {
        let reading = try Convention.animePhysical.read(["mass": 0.5, "stiffness": 2e4, "damping": 2e4])
        #expect(reading.warnings == [.massLimited, .stiffnessCapped, .dampingCapped])
        #expect(reading.spring.mass == 1 && reading.spring.stiffness == 10_000 && reading.spring.damping == 10_000)
        let light = Convention.animePhysical.write(SpringCurve(try Spring(mass: 0.5, stiffness: 50, damping: 5)))
        #expect(light.isExact && light.parameters.map(\.value) == [1, 100, 10])
    }

    @Test("anime.js limits a velocity to 10 000", arguments: [50_000.0, -1e6, 9999])
    func animeVelocity(velocity: Double) throws {
        let spring = try Spring(mass: 1, stiffness: 100, damping: 10)
        let writing = Convention.animePhysical.write(SpringCurve(spring, initialVelocity: velocity))
        let limited = min(10_000, max(-10_000, velocity))
        #expect(try #require(writing.drawn).curve.initialVelocity == limited)
        #expect(writing.warnings.map(\.code) == (limited == velocity ? [] : ["velocityLimited"]))
        #expect(writing.isExact == (limited == velocity))
        func time(_ velocity: Double) -> Double? {
            PlatformSettling(SpringCurve(spring, initialVelocity: velocity), epsilon: 0.001)["anime"]
        }
        #expect(time(velocity) == time(limited))
    }

    @Test("a fast spring is limited by anime.js in its stiffness, and by react-spring in its period")
    func fast() {
        let anime = Convention.animeDurationBounce.write(SpringCurve(Spring(ratio: 0.5, response: 0.04)))
        #expect(anime.warnings == [.stiffnessCapped])
        let spring = Convention.reactSpringFrequency.write(SpringCurve(Spring(ratio: 0.2, response: 0.005)))
        #expect(spring.parameters["frequency"] == 0.01 && spring.warnings.first == .durationLimited)
    }

    @Test("Svelte draws another spring at another rate, and none that is too fast for its frames")
    func svelte() throws {
        let spring = try Convention.svelte.read(["stiffness": 0.15, "damping": 0.25]).spring
        let curve = SpringCurve(spring)
        #expect(Convention.svelte.write(curve).warnings == [.drawnInFrames])
        let doubled = Convention.svelte.write(curve, framesPerSecond: 120)
        #expect(doubled.warnings == [.dampedPerFrame, .drawnInFrames] && !doubled.isExact)
        #expect(try #require(doubled.drawn).distance(from: curve).maximum > 0.1)
        let fast = Convention.svelte.write(SpringCurve(Spring(ratio: 0.3, frequency: 1000, mass: 1)))
        #expect(fast.warnings.first == .stiffnessCapped && fast.parameters["stiffness"] == 1)
        #expect(Convention.svelte.write(SpringCurve(spring, initialVelocity: 1)).warnings.first == .velocityIgnored)
    }

    /// Figma's presets, and the text for its fields.
    @Test("Figma's presets are springs, of which the slow one is overdamped")
    func figma() throws {
        let presets = Presets.all.filter { $0.platform == "figma" }
        #expect(presets.map(\.name) == ["gentle", "quick", "bouncy", "slow"])
        #expect(presets.map { Int(($0.spring.dampingRatio * 1000).rounded()) } == [750, 577, 306, 1118])
        let snippet = Convention.figma.write(SpringCurve(presets[1].spring)).snippet
        #expect(snippet == "Custom spring: stiffness 300, damping 20, mass 1")
    }

    /// remotion-dev/remotion, measure-spring.ts, written from its source.
    @Test("Remotion's measure is the number of its frames", arguments: [30.0, 60, 25])
    func remotion(framesPerSecond: Double) throws {
        for spring in ConventionTests.springs.filter({ $0.response < 3 }) {
            let curve = SpringCurve(spring).atMostCritical
            var (frame, finished) = (0, 0)
            func difference() -> Double { abs(curve.position(at: Double(frame) / framesPerSecond) - 1) }
            while difference() >= 0.005 { frame += 1 }
            finished = frame
            var step = 0
            while step < 20 {
                frame += 1
                if difference() >= 0.005 { (step, finished) = (0, frame + 1) }
                step += 1
            }
            let settling = PlatformSettling(SpringCurve(spring), epsilon: 0.001, framesPerSecond: framesPerSecond)
            let time = try #require(settling.times.first { $0.key == "remotion" }?.value)
            #expect(time == Double(finished) / framesPerSecond, "\(spring)")
        }
    }

    /// juliangarnier/anime 4.3.6, easings/spring, `compute`, written from its source.
    @Test("anime.js ends after 11 steps within its threshold")
    func animeDuration() throws {
        for spring in ConventionTests.springs where spring.response < 3 {
            let curve = SpringCurve(spring, initialVelocity: 2)
            var (time, steps, duration) = (0.0, 0, 0.0)
            // At most a minute.
            while steps <= 10, time < 60.01 {
                steps = abs(curve.position(at: time) - 1) < 0.0005 ? steps + 1 : 0
                duration = time
                time += 0.02
            }
            let settling = PlatformSettling(curve, epsilon: 0.001)
            let found = try #require(settling.times.first { $0.key == "anime" }?.value)
            #expect(abs(found - duration) < 1e-9, "\(spring)")
        }
    }
}
