import Foundation
import Motion
import SpringConventions
import TestSupport
import Testing

/// Compares what a convention says that its library draws with the solver of that library, written from its source.
@Suite("What a platform draws")
struct DrawnTests {
    /// The position of an animation from 0 to 1, by a library's solver, from its own parameters.
    typealias Solver = @Sendable (_ values: [String: Double], _ velocity: Double, _ times: [Double]) -> [Double]

    static let solvers: [(id: String, framesPerSecond: Double, solve: Solver)] = [
        ("motion.physical", 60, { motion($0["mass"]!, $0["stiffness"]!, $0["damping"]!, $1, $2) }),
        (
            "motion.visualDurationBounce", 60,
            { values, _, times in
                let root = 2 * .pi / (values["visualDuration"]! * 1.2)
                return motion(1, root * root, 2 * min(1, max(0.05, 1 - values["bounce"]!)) * root, 0, times)
            }
        ),
        ("reactnative.physical", 60, { native($0["mass"]!, $0["stiffness"]!, $0["damping"]!, $1, $2) }),
        ("reanimated.physical", 60, { native($0["mass"]!, $0["stiffness"]!, $0["damping"]!, $1, $2) }),
        (
            "reanimated.durationRatio", 60,
            { values, velocity, times in
                let (duration, ratio) = (values["durationMs"]! / 1000, values["dampingRatio"]!)
                let stiffness = reanimated(duration: duration, ratio: ratio, velocity: velocity)
                return native(4, stiffness, 2 * ratio * (4 * stiffness).squareRoot(), velocity, times)
            }
        ),
        ("anime.durationBounce", 60, { values, _, times in anime(values["durationMs"]!, values["bounce"]!, times) }),
        ("anime.physical", 60, { animePhysical($0["mass"]!, $0["stiffness"]!, $0["damping"]!, $1, $2) }),
        ("svelte", 60, { values, _, times in svelte(values, times, framesPerSecond: 60) }),
        ("svelte", 120, { values, _, times in svelte(values, times, framesPerSecond: 120) }),
        // A frame counts as at most a 30th of a second.
        ("svelte", 24, { values, _, times in svelte(values, times, framesPerSecond: 24) }),
        ("svelte", 90, { values, _, times in svelte(values, times, framesPerSecond: 90) }),
        (
            "remotion", 60,
            { values, _, times in
                remotion(values["mass"]!, values["stiffness"]!, values["damping"]!, times, framesPerSecond: 60)
            }
        ),
        ("uikit.durationRatio", 60, { uiview($0["duration"]!, $0["dampingRatio"]!, $1, $2) }),
        ("uikit", 60, { native($0["mass"]!, $0["stiffness"]!, $0["damping"]!, $1, $2) }),
        ("flutter.physical", 60, { flutter($0["mass"]!, $0["stiffness"]!, $0["damping"]!, $1, $2, isOld: false) }),
        ("flutter.physical", 60, { flutter($0["mass"]!, $0["stiffness"]!, $0["damping"]!, $1, $2, isOld: true) }),
        (
            "flutter.dampingRatio", 60,
            { values, velocity, times in
                let (mass, stiffness) = (values["mass"]!, values["stiffness"]!)
                let damping = 2 * values["ratio"]! * (mass * stiffness).squareRoot()
                return flutter(mass, stiffness, damping, velocity, times, isOld: true)
            }
        ),
        ("reactspring.tensionFriction", 60, { reactSpring($0, $1, $2, framesPerSecond: 60) }),
        ("reactspring.tensionFriction", 120, { reactSpring($0, $1, $2, framesPerSecond: 120) }),
        ("reactspring.tensionFriction", 90, { reactSpring($0, $1, $2, framesPerSecond: 90) }),
    ]

    @Test("is what its own solver draws, for any ratio and velocity", arguments: solvers.indices)
    func solver(index: Int) throws {
        let (id, framesPerSecond, solve) = Self.solvers[index]
        let convention = try Conventions.named(id)
        var generator = SeededGenerator(seed: 43)
        var largest = 0.0
        for round in 0..<120 {
            let ratio = round % 6 == 0 ? 1 : exp(Double.random(in: log(0.06)...log(16), using: &generator))
            let response = Double.random(in: 0.1...4, using: &generator)
            let mass = round % 2 == 0 ? 1 : Double.random(in: 0.5...4, using: &generator)
            var velocity = round % 3 == 0 ? 0 : Double.random(in: -8...8, using: &generator)
            // A velocity towards the target must be low for UIKit to find a spring.
            if id == "uikit.durationRatio" { velocity = min(velocity / 4, 0.05 * ratio / response) }
            let wanted = SpringCurve(
                Spring(ratio: ratio, frequency: 2 * .pi / response, mass: mass),
                initialVelocity: velocity
            )
            let writing = convention.write(wanted, framesPerSecond: framesPerSecond)
            let drawn = try #require(writing.drawn, "\(wanted)")
            // The moments of frames, a whole number of them.
            let times = (1...400).map { Double($0) / framesPerSecond * (round % 5 == 0 ? 8 : 1) }.map {
                ($0 * framesPerSecond).rounded() / framesPerSecond
            }
            let values = Dictionary(uniqueKeysWithValues: writing.parameters.map { ($0.name, $0.value) })
            for (time, position) in zip(times, solve(values, velocity, times)) {
                largest = max(largest, abs(1 - drawn.remaining(at: time) - position))
            }
        }
        // Motion's formula loses digits near critical damping, and Reanimated's bisection ends early.
        #expect(largest < (id == "reanimated.durationRatio" ? 1e-4 : 1e-6), "\(id)")
    }

    @Test(
        "the largest distance of a cut curve is where it is",
        arguments: [(5.0, 0.002), (8, 0.09), (12.4, 0.37), (20, 0.68)]
    )
    func cut(ratio: Double, expected: Double) throws {
        let curve = SpringCurve(Spring(ratio: ratio, frequency: 8.0.squareRoot(), mass: 0.5))
        let writing = Convention.motionPhysical.write(curve)
        #expect(writing.warnings == [.cutOff] && !writing.isExact)
        let drawn = try #require(writing.drawn)
        let (distance, time) = drawn.distance(from: curve)
        #expect(abs(distance - expected) < 0.01)
        let sampled = stride(from: 0.0, to: 60, by: 0.001).map {
            (abs(curve.remaining.displacement(at: $0) - drawn.remaining(at: $0)), $0)
        }
        let largest = try #require(sampled.max { $0.0 < $1.0 })
        #expect(abs(largest.0 - distance) < 1e-4 && abs(largest.1 - time) < 0.01)
    }

    @Test("a spring without damping is refused by React Native and Reanimated")
    func undamped() throws {
        let curve = SpringCurve(Spring(ratio: 0, frequency: 10, mass: 1))
        for convention in [Convention.reactNativePhysical, .reanimatedPhysical, .origami] {
            let writing = convention.write(curve)
            #expect(writing.drawn == nil && writing.warnings == [.undampedRefused] && !writing.isExact)
        }
    }

    @Test("Remotion draws its target in place of what is beyond it, if it is told to")
    func clamped() throws {
        let values = ["stiffness": 100, "damping": 4, "overshootClamping": 1.0]
        let reading = try Convention.remotion.read(values)
        let curve = SpringCurve(reading.spring)
        let writing = Convention.remotion.write(curve, clampsOvershoot: reading.clampsOvershoot)
        #expect(writing.warnings == [.overshootClamped] && !writing.isExact)
        #expect(writing.snippet.contains("damping: 4, overshootClamping: true"))
        let drawn = try #require(writing.drawn)
        let times = (1...240).map { Double($0) / 60 }
        for (time, position) in zip(times, remotion(1, 100, 4, times, framesPerSecond: 60)) {
            // spring/index.ts: the smaller one of the position and the target.
            #expect(abs(1 - drawn.remaining(at: time) - min(position, 1)) < 1e-6)
        }
        let (distance, time) = drawn.distance(from: curve)
        let peak = try #require(curve.peak)
        #expect(abs(distance - (peak.position - 1)) < 1e-9 && abs(time - peak.time) < 1e-6)
        // Without an overshoot, and in a convention without the parameter, nothing is clamped.
        let critical = SpringCurve(curve.spring.critical)
        #expect(Convention.remotion.write(critical, clampsOvershoot: true).isExact)
        #expect(Convention.figma.write(curve, clampsOvershoot: true).isExact)
        #expect(!Convention.remotion.write(curve).snippet.contains("overshootClamping"))
    }

    @Test("Core Animation is told to draw an overdamped spring, and SwiftUI draws one with a velocity as critical")
    func apple() throws {
        let curve = SpringCurve(Spring(ratio: 2, frequency: 10, mass: 1))
        let animation = Convention.coreAnimationPerceptualDurationBounce.write(curve)
        #expect(animation.isExact && animation.snippet.contains("allowsOverdamping = true"))
        #expect(Convention.swiftUIResponse.write(curve).isExact)
        let moving = SpringCurve(curve.spring, initialVelocity: 3)
        #expect(Convention.swiftUIResponse.write(moving).warnings == [.overdampedDrawnAsCritical])
    }
}

// MARK: The solvers

/// motiondivision/motion, motion-dom 13.1.1, generators/spring.ts; the target is 1.
private func motion(_ mass: Double, _ stiffness: Double, _ damping: Double, _ velocity: Double, _ times: [Double])
    -> [Double]
{
    let ratio = damping / (2 * (stiffness * mass).squareRoot())
    let frequency = (stiffness / mass).squareRoot()
    let velocity = -velocity
    return times.map { time in
        let envelope = exp(-ratio * frequency * time)
        if ratio < 1 {
            let angular = frequency * (1 - ratio * ratio).squareRoot()
            let part = (velocity + ratio * frequency) / angular
            return 1 - envelope * (part * sin(angular * time) + cos(angular * time))
        }
        if ratio == 1 { return 1 - exp(-frequency * time) * (1 + (velocity + frequency) * time) }
        let angular = frequency * (ratio * ratio - 1).squareRoot()
        let phase = min(angular * time, 300)
        return 1 - envelope * ((velocity + ratio * frequency) * sinh(phase) + angular * cosh(phase)) / angular
    }
}

/// facebook/react-native, SpringAnimation.js, which QuartzCore's published curves equal and Reanimated's formulas, too.
private func native(_ mass: Double, _ stiffness: Double, _ damping: Double, _ velocity: Double, _ times: [Double])
    -> [Double]
{
    let ratio = damping / (2 * (stiffness * mass).squareRoot())
    let frequency = (stiffness / mass).squareRoot()
    return times.map { time in
        // Rounding can put a critical ratio below 1; the frequency is then near 0.
        guard ratio < 1 - 1e-12 else { return 1 - exp(-frequency * time) * (1 + (frequency - velocity) * time) }
        let angular = frequency * (1 - ratio * ratio).squareRoot()
        let part = (ratio * frequency - velocity) / angular
        return 1 - exp(-ratio * frequency * time) * (part * sin(angular * time) + cos(angular * time))
    }
}

/// software-mansion/react-native-reanimated, springUtils.ts, `calculateNewStiffnessToMatchDuration`, from -1 to 0.
private func reanimated(duration: Double, ratio: Double, velocity: Double) -> Double {
    let (start, mass, threshold) = (-1.0, 4.0, 6e-9)
    func energy(_ distance: Double, _ speed: Double, _ stiffness: Double) -> Double {
        0.5 * stiffness * distance * distance + 0.5 * mass * speed * speed
    }
    func difference(_ stiffness: Double) -> Double {
        let (end, rate) = (1.5 * duration, (stiffness / mass).squareRoot() * ratio)
        let envelope = exp(-rate * end)
        let distance = (start + (velocity + start * rate) * end) * envelope
        let speed = distance * -rate + (velocity + start * rate) * envelope
        return energy(distance, speed, stiffness) / energy(start, velocity, stiffness) - threshold
    }
    var (low, high) = (Double.ulpOfOne, 8000.0)
    let direction = difference(high) >= difference(low) ? 1.0 : -1
    var middle = (low + high) / 2
    for _ in 0..<100 where abs(difference(middle)) > threshold * 1e-3 {
        if difference(middle) * direction < 0 { low = middle } else { high = middle }
        middle = (low + high) / 2
    }
    return middle
}

/// juliangarnier/anime 4.3.6, easings/spring, of a duration and a bounce.
private func anime(_ milliseconds: Double, _ bounce: Double, _ times: [Double]) -> [Double] {
    func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    let seconds = min(10_000, max(10, milliseconds)) / 1000
    let stiffness = rounded(min(10_000, pow(2 * .pi / seconds, 2)))
    let damping = rounded(min(300, bounce >= 0 ? (1 - bounce) * 4 * .pi / seconds : 4 * .pi / (seconds * (1 + bounce))))
    return animePhysical(1, stiffness, damping, 0, times)
}

/// juliangarnier/anime 4.3.6, easings/spring.
private func animePhysical(
    _ mass: Double,
    _ stiffness: Double,
    _ damping: Double,
    _ velocity: Double,
    _ times: [Double]
) -> [Double] {
    let mass = min(10_000, max(1, mass))
    let (stiffness, damping) = (min(10_000, max(1e-11, stiffness)), min(10_000, max(1e-11, damping)))
    let frequency = min(1000, (stiffness / mass).squareRoot())
    let ratio = damping / (2 * (stiffness * mass).squareRoot())
    return times.map { time in
        if ratio < 1 {
            let angular = frequency * (1 - ratio * ratio).squareRoot()
            let part = (ratio * frequency - velocity) / angular
            return 1 - exp(-time * ratio * frequency) * (cos(angular * time) + part * sin(angular * time))
        }
        if ratio == 1 { return 1 - (1 + (frequency - velocity) * time) * exp(-time * frequency) }
        let angular = frequency * (ratio * ratio - 1).squareRoot()
        let part = (ratio * frequency - velocity) / angular
        return 1
            - ((1 + part) * exp((-ratio * frequency + angular) * time)
                + (1 - part) * exp((-ratio * frequency - angular) * time)) / 2
    }
}

/// sveltejs/svelte 5, motion/spring.js, `tick_spring` and its loop.
private func svelte(_ values: [String: Double], _ times: [Double], framesPerSecond: Double) -> [Double] {
    let elapsed = min(1 / framesPerSecond, 1.0 / 30) * 60
    var (last, current, frame) = (0.0, 0.0, 0)
    return times.map { time in
        while frame < Int((time * framesPerSecond).rounded()) {
            frame += 1
            let velocity = (current - last) / elapsed
            let acceleration = values["stiffness"]! * (1 - current) - values["damping"]! * velocity
            (last, current) = (current, current + (velocity + acceleration) * elapsed)
        }
        return current
    }
}

/// remotion-dev/remotion 4, core, spring-utils.ts, `advance` and `springCalculation`: a step in each frame.
private func remotion(
    _ mass: Double,
    _ stiffness: Double,
    _ damping: Double,
    _ times: [Double],
    framesPerSecond: Double
) -> [Double] {
    let ratio = damping / (2 * (stiffness * mass).squareRoot())
    let frequency = (stiffness / mass).squareRoot()
    let angular = frequency * (1 - ratio * ratio).squareRoot()
    let time = min(1 / framesPerSecond, 0.064)
    var (current, velocity, frame) = (0.0, 0.0, 0)
    return times.map { moment in
        while frame < Int((moment * framesPerSecond).rounded()) {
            frame += 1
            let (distance, speed) = (1 - current, -velocity)
            // Rounding can put a critical ratio below 1.
            if ratio < 1 - 1e-12 {
                let envelope = exp(-ratio * frequency * time)
                let slope = speed + ratio * frequency * distance
                let part = envelope * (sin(angular * time) * (slope / angular) + distance * cos(angular * time))
                current = 1 - part
                velocity =
                    ratio * frequency * part
                    - envelope * (cos(angular * time) * slope - angular * distance * sin(angular * time))
            } else {
                let envelope = exp(-frequency * time)
                current = 1 - envelope * (distance + (speed + frequency * distance) * time)
                velocity = envelope * (speed * (time * frequency - 1) + time * distance * frequency * frequency)
            }
        }
        return current
    }
}

/// guillianbalisi/ios-spring-animations, Math.swift, `computeDerivedCurveOptions`, which is Framer's conversion, too.
private func uiview(_ duration: Double, _ ratio: Double, _ velocity: Double, _ times: [Double]) -> [Double] {
    var frequency = 5 / duration
    for _ in 0..<40 {
        let decay = frequency * ratio
        if ratio < 1 {
            let envelope = exp(-decay * duration)
            let root = (1 - ratio * ratio).squareRoot()
            let value = 0.001 - (decay - velocity) / (frequency * root) * envelope
            let slope = (decay * duration * velocity + velocity - decay * decay * duration) * envelope
            frequency += value / (slope / (frequency * frequency * root))
        } else {
            let envelope = exp(-frequency * duration)
            let value = envelope * ((frequency - velocity) * duration + 1) - 0.001
            frequency -= value / (envelope * (velocity - frequency) * duration * duration)
        }
    }
    return native(1, frequency * frequency, 2 * ratio * frequency, velocity, times)
}

/// flutter/flutter, physics/spring_simulation.dart, since 3.32 and before, from 0 to 1.
private func flutter(
    _ mass: Double,
    _ stiffness: Double,
    _ damping: Double,
    _ velocity: Double,
    _ times: [Double],
    isOld: Bool
) -> [Double] {
    let squared = damping * damping - 4 * mass * stiffness
    // The library compares with 0; rounding makes a critical spring one of the others, which are ill-conditioned there.
    if abs(squared) < 1e-9 * damping * damping {
        let rate = -damping / (2 * mass)
        return times.map { 1 + (-1 + (velocity + rate) * $0) * exp(rate * $0) }
    }
    if squared > 0 {
        let first = (-damping - squared.squareRoot()) / (2 * mass)
        let second = (-damping + squared.squareRoot()) / (2 * mass)
        let c2 = (velocity + first) / (second - first)
        return times.map { 1 + (-1 - c2) * exp(first * $0) + c2 * exp(second * $0) }
    }
    let angular = (-squared).squareRoot() / (2 * mass)
    let rate = isOld ? -(damping / 2 * mass) : -(damping / (2 * mass))
    let c2 = (velocity + rate) / angular
    return times.map { 1 + exp(rate * $0) * (-cos(angular * $0) + c2 * sin(angular * $0)) }
}

/// pmndrs/react-spring, SpringValue.ts: the time of a frame in milliseconds, rounded up, in steps of one.
func reactSpring(
    _ values: [String: Double],
    _ velocity: Double,
    _ times: [Double],
    framesPerSecond: Double
) -> [Double] {
    var (position, speed, frame) = (0.0, velocity / 1000, 0)
    return times.map { time in
        let last = Int((time * framesPerSecond).rounded())
        while frame < last {
            frame += 1
            for _ in 0..<Int((1000 / framesPerSecond).rounded(.up)) {
                let force = -values["tension"]! * 0.000001 * (position - 1)
                speed += (force - values["friction"]! * 0.001 * speed) / values["mass"]!
                position += speed
            }
        }
        return position
    }
}
