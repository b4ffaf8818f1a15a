import Foundation
import Motion
import SpringConventions
import TestSupport
import Testing

@Suite("The largest distance between two curves")
struct DistanceTests {
    /// Returns the largest distance on a dense grid, until both curves are at rest.
    static func brute(_ one: SpringCurve, _ other: SpringCurve) -> Double {
        let end = max(one.settlingTime(epsilon: 1e-6) ?? 0, other.settlingTime(epsilon: 1e-6) ?? 0)
        let fast = 1 / max(one.spring.fastRate, other.spring.fastRate)
        var largest = 0.0
        // Evenly over the whole time, then with increasing density towards the start.
        for point in 0...12_000 {
            let time = end * Double(point) / 12_000
            largest = max(largest, abs(one.position(at: time) - other.position(at: time)))
        }
        for point in 0...6000 {
            let time = fast / 100 * pow(100 * end / fast, Double(point) / 6000)
            largest = max(largest, abs(one.position(at: time) - other.position(at: time)))
        }
        return largest
    }

    @Test("springs with the same sample times have the distance of the closed form")
    func shared() throws {
        // Only the velocity differs: the distance is v e^(-γt) sin(rt) / r, largest where tan(rt) = r / γ.
        let spring = try Spring(dampingRatio: 0.6, response: 0.5)
        let (decay, rate) = (spring.decayRate, spring.dampedFrequency)
        let time = atan2(rate, decay) / rate
        let expected = 20 * exp(-decay * time) * sin(rate * time) / rate
        let distance = SpringCurve(spring, initialVelocity: 20).distance(to: SpringCurve(spring))
        #expect(abs(expected - 0.79393) < 5e-6)
        #expect(abs(distance.maximum - expected) < 1e-12)
        #expect(abs(distance.time - time) < 1e-6)
    }

    @Test("the largest distance is found between the last two samples before rest bounds the others")
    func beforeRest() throws {
        let one = SpringCurve(try Spring(dampingRatio: 0.05, response: 0.1336), initialVelocity: -5)
        let other = SpringCurve(try Spring(dampingRatio: 5, response: 0.5), initialVelocity: -5)
        #expect(one.distance(to: other).maximum >= Self.brute(one, other) * (1 - 1e-9))
    }

    @Test("matches a dense grid for random pairs", arguments: [1, 2, 3, 4])
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for index in 0..<25 {
            func curve(response: Double?) -> SpringCurve {
                let ratio = pow(10, Double.random(in: -1.7...1.5, using: &generator))
                let response = response ?? pow(10, Double.random(in: -2...1, using: &generator))
                let velocity = index % 3 == 0 ? 0 : Double.random(in: -20...20, using: &generator)
                return SpringCurve(
                    Spring(ratio: ratio, frequency: 2 * .pi / response, mass: 1),
                    initialVelocity: velocity / response
                )
            }
            let one = curve(response: nil)
            // Every other pair has the same periods, or periods with a common multiple.
            let other = curve(response: index % 2 == 0 ? one.spring.response * Double(index % 4 + 1) : nil)
            let (brute, found) = (Self.brute(one, other), one.distance(to: other))
            #expect(found.maximum >= brute * (1 - 1e-9), "\(one) \(other)")
            // The result is the distance at its time, so it cannot be too large.
            #expect(abs(abs(one.position(at: found.time) - other.position(at: found.time)) - found.maximum) < 1e-12)
            #expect(abs(other.distance(to: one).maximum - found.maximum) <= 1e-9 * found.maximum)
        }
    }

    @Test("finds the distance of two nearly equal rates after thousands of periods")
    func beats() {
        // Practically undamped: after half a beat, 50 000 periods, they are opposite.
        let one = SpringRangeTests.curve(0, 1e4)
        let other = SpringRangeTests.curve(0, 1e4 * (1 + 1e-5))
        #expect(abs(one.distance(to: other).maximum - 2) < 1e-6)
        // With damping the envelopes end earlier: v(t) = 2 e^(-γt) sin(Δt / 2), largest where tan(Δt / 2) = Δ / 2γ.
        let (decay, beat) = (1e-6 * 1e4, 1e-5 * 1e4)
        let time = 2 / beat * atan2(beat / 2, decay)
        let expected = 2 * exp(-decay * time) * sin(beat * time / 2)
        let found = SpringRangeTests.curve(1e-6, 1e4).distance(to: SpringRangeTests.curve(1e-6, 1e4 * (1 + 1e-5)))
        #expect(abs(found.maximum - expected) < 1e-3 * expected)
    }

    @Test("finds the distance of a fast spring that still oscillates at the peak of a slow one")
    func ringing() {
        // The slow one overshoots by 1 at 60 s / 2, while the fast one still oscillates by 1 about its target.
        let found = SpringRangeTests.curve(0, 2 * .pi / 60).distance(to: SpringRangeTests.curve(0, 1e5))
        #expect(abs(found.maximum - 2) < 1e-3)
    }

    @Test("is the same in any unit of time", arguments: [1e-4, 1e-2, 30, 1e4])
    func scaling(factor: Double) {
        for (ratio, other) in [(0.01, 0.8), (0.3, 0.3001), (1, 2), (50, 0.2), (100, 100.5)] {
            let base = SpringRangeTests.curve(ratio, 2, 3).distance(to: SpringRangeTests.curve(other, 5))
            let scaled = SpringRangeTests.curve(ratio, 2 / factor, 3 / factor)
                .distance(to: SpringRangeTests.curve(other, 5 / factor))
            #expect(abs(base.maximum - scaled.maximum) <= 1e-9 * base.maximum)
            #expect(abs(base.time * factor - scaled.time) <= 1e-5 * scaled.time)
        }
    }
}
