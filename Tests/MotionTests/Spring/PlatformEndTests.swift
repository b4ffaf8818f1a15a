import Foundation
import Motion
import SpringConventions
import TestSupport
import Testing

/// Compares the times at which platforms end an animation with their loops, written from their sources.
@Suite("Ends of platforms")
struct PlatformEndTests {
    /// A bouncy spring is within both limits near a turning point, long before it stays within them.
    @Test(
        "a bouncy spring ends near a turning point",
        arguments: [
            ("android", 50.0, 2.828427, 178.0), ("flutter", 50, 2.828427, 298), ("reactNative", 50, 2.828427, 298),
            ("reactSpring", 180, 12, 55),
        ]
    )
    func bouncy(platform: String, stiffness: Double, damping: Double, frames: Double) throws {
        let curve = SpringCurve(try Spring(mass: 1, stiffness: stiffness, damping: damping))
        #expect(PlatformSettling(curve, epsilon: 0.001)[platform] == frames / 60)
    }

    /// DynamicAnimation.java, `updateValueAndVelocity`; animation_controller.dart, `_tick`; SpringAnimation.js, `onUpdate`.
    @Test("Android, Flutter and React Native end at the first frame within both limits", arguments: [60.0, 90, 24])
    func frames(framesPerSecond: Double) {
        for curve in SettlingTests.random(80, seed: 51) {
            func first(_ curve: SpringCurve, _ distance: Double, _ speed: Double) -> Double? {
                (0..<20_000).lazy.map { Double($0) / framesPerSecond }.first { time in
                    let state = curve.state(at: time)
                    return abs(1 - state.position) <= distance && abs(state.velocity) <= speed
                }
            }
            let settling = PlatformSettling(
                curve,
                epsilon: 0.001,
                travel: (300, .position),
                framesPerSecond: framesPerSecond
            )
            #expect(settling["android"] == first(curve, 0.0025, 0.15625), "\(curve)")
            #expect(settling["flutter"] == first(curve, 0.001 / 300, 0.001 / 300), "\(curve)")
            #expect(settling["reactNative"] == first(curve.atMostCritical, 0.001 / 300, 0.001 / 300), "\(curve)")
        }
    }

    /// pmndrs/react-spring 9.7.5, SpringValue.ts, `advance`.
    @Test(
        "react-spring ends in the frame with the first step at rest",
        arguments: [(60.0, 100.0), (120, 4000), (50, 100)]
    )
    func reactSpring(framesPerSecond: Double, travel: Double) {
        let precision = min(1, 0.001 * travel) / travel
        for curve in SettlingTests.random(60, seed: 52) where curve.spring.response > 0.1 {
            var (position, velocity, frame, isFinished) = (0.0, curve.initialVelocity / 1000, 0.0, false)
            while !isFinished {
                frame += 1
                for _ in 0..<Int((1000 / framesPerSecond).rounded(.up)) {
                    isFinished = abs(velocity) <= precision / 10 && abs(1 - position) <= precision
                    if isFinished { break }
                    let springForce = -curve.spring.stiffness * 0.000001 * (position - 1)
                    velocity += (springForce - curve.spring.damping * 0.001 * velocity) / curve.spring.mass
                    position += velocity
                }
            }
            let settling = PlatformSettling(
                curve,
                epsilon: 0.001,
                travel: (travel, .position),
                framesPerSecond: framesPerSecond
            )
            #expect(settling["reactSpring"] == frame / framesPerSecond, "\(curve)")
        }
    }

    /// sveltejs/svelte 5, motion/spring.js, `tick_spring`.
    @Test("Svelte ends in the first frame with a small step, from rest", arguments: [60.0, 120, 24])
    func svelte(framesPerSecond: Double) throws {
        let elapsed = min(1 / framesPerSecond, 1.0 / 30) * 60
        for (stiffness, damping) in [(0.15, 0.8), (0.15, 0.25), (0.02, 0.1), (0.5, 0.3), (0.005, 0.02)] {
            var (last, current, frame) = (0.0, 0.0, 0.0)
            while true {
                frame += 1
                let velocity = (current - last) / elapsed
                let step = (velocity + stiffness * (100 - current) - damping * velocity) * elapsed
                if abs(step) < 0.01, abs(100 - current) < 0.01 { break }
                (last, current) = (current, current + step)
            }
            let spring = try Convention.svelte.read(["stiffness": stiffness, "damping": damping]).spring
            let settling = PlatformSettling(
                SpringCurve(spring, initialVelocity: 9),
                epsilon: 0.001,
                travel: (100, .position),
                framesPerSecond: framesPerSecond
            )
            #expect(settling["svelte"] == frame / framesPerSecond, "\(stiffness) \(damping)")
        }
    }

    /// motion-dom 13.1.1, spring.ts, `next`, and calc-duration.ts; the speed counts in every regime.
    @Test(
        "Motion ends at the first multiple of 50 ms within both limits",
        arguments: [
            (100.0, 30.0, 0.0, 1.0, 1.6), (2.070424916028344, 3.469100252269293, 3, 1, 4.5), (100, 10, 0, 0.005, 0),
            // sinh and cosh are capped at 300, which is after 1.5 s here.
            (100, 400, 0, 1, 1.55),
        ]
    )
    func motion(stiffness: Double, damping: Double, velocity: Double, travel: Double, expected: Double) throws {
        let curve = SpringCurve(try Spring(mass: 1, stiffness: stiffness, damping: damping), initialVelocity: velocity)
        let settling = PlatformSettling(curve, epsilon: 0.001, travel: (travel, .position))
        #expect(abs(try #require(settling["motion50ms"]) - expected) < 1e-9)
    }

    @Test("slow springs have a time, and the search of one that hardly loses energy ends")
    func bounded() throws {
        let slow = SpringCurve(Spring(ratio: 50, response: 12))
        let settling = PlatformSettling(slow, epsilon: 0.001)
        let expected = try #require(slow.settlingTime(epsilon: 0.001))
        for platform in ["flutter", "android"] {
            let time = try #require(settling[platform])
            #expect(time > expected * 0.8 && time < expected + 1)
        }
        for (ratio, response, velocity) in [(1e-6, 1e-3, 0.0), (1e-9, 0.3, 1e6), (1e-4, 6e4, -1e6), (0, 7, 1)] {
            let curve = SpringCurve(Spring(ratio: ratio, response: response), initialVelocity: velocity)
            for (name, time) in PlatformSettling(curve, epsilon: 0.001, framesPerSecond: 1000).times {
                #expect(time.map { $0 >= 0 && $0 < .infinity } ?? true, "\(name)")
            }
        }
    }
}
