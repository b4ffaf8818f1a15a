import Foundation
import Motion
import SpringConventions
import TestSupport
import Testing

@Suite("Settling and overshoot")
struct SettlingTests {
    static func random(_ count: Int, seed: UInt64) -> [SpringCurve] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            SpringCurve(
                Spring(
                    ratio: pow(10, Double.random(in: -1.3...1, using: &generator)),
                    response: Double.random(in: 0.05...2, using: &generator)
                ),
                initialVelocity: Bool.random(using: &generator) ? 0 : Double.random(in: -25...60, using: &generator)
            )
        }
    }

    @Test("is the last time above epsilon, compared with a dense scan", arguments: [0.1, 0.01, 1e-3, 1e-6])
    func lastTime(epsilon: Double) throws {
        for curve in Self.random(60, seed: 7) {
            let time = try #require(curve.settlingTime(epsilon: epsilon))
            #expect(abs(1 - curve.position(at: time * (1 - 1e-9))) > epsilon * (1 - 1e-6))
            for step in 1...4000 {
                let later = time * (1 + 1e-9) + Double(step) * curve.spring.response / 200
                #expect(abs(1 - curve.position(at: later)) <= epsilon)
            }
        }
    }

    @Test("the envelope is never earlier than the settling time")
    func envelope() throws {
        for curve in Self.random(200, seed: 8) where curve.spring.regime == .underdamped {
            let envelope = try #require(curve.envelopeTime(epsilon: 0.001))
            #expect(envelope >= (try #require(curve.settlingTime(epsilon: 0.001))))
        }
    }

    @Test("overshoot is the highest point of the curve, compared with a dense scan")
    func overshoot() {
        for curve in Self.random(120, seed: 9) {
            let highest = (0...40_000).map { curve.position(at: Double($0) * curve.spring.response / 10_000) }.max()!
            #expect(curve.overshoot >= highest - 1)
            #expect(curve.overshoot <= max(0, highest - 1) + 1e-6 * max(1, abs(curve.initialVelocity)))
        }
    }

    @Test("an overdamped spring overshoots only when it starts faster than its fast rate")
    func overdampedOvershoot() throws {
        let spring = try Spring(dampingRatio: 1.5, response: 0.5)
        let fast = spring.naturalFrequency * (1.5 + 1.25.squareRoot())
        #expect(SpringCurve(spring, initialVelocity: fast * 0.999).overshoot == 0)
        #expect(SpringCurve(spring, initialVelocity: fast * 1.1).overshoot > 0)
    }

    @Test("an undamped spring never settles, and overshoots by its amplitude")
    func undamped() throws {
        let curve = SpringCurve(try Spring(dampingRatio: 0, response: 1))
        #expect(curve.settlingTime(epsilon: 0.1) == nil)
        #expect(curve.envelopeTime(epsilon: 0.1) == nil)
        #expect(abs(curve.overshoot - 1) < 1e-15)
        let platforms = PlatformSettling(curve, epsilon: 0.001)
        #expect(["swiftui", "flutter", "compose", "reanimated"].allSatisfy { platforms[$0] == nil })
    }

    @Test("Compose's time is ln(threshold / amplitude) / rate, and 0 for a travel below the threshold")
    func compose() throws {
        let curve = SpringCurve(try Spring(dampingRatio: 0.3, response: 0.55))
        for (travel, expected) in [(100.0, 2.029), (0.15, 0.132), (0.02, 0)] {
            let time = PlatformSettling(curve, epsilon: 0.001, travel: (travel, .position))["compose"]
            #expect(abs(try #require(time) - expected) < 1e-9, "\(travel) \(time ?? .nan)")
        }
    }

    @Test("has a result for extreme ratios that platforms allow", arguments: [1e-300, 1e-17, 1e-9, 5000, 1e20])
    func edges(ratio: Double) throws {
        let curve = SpringCurve(try Spring(dampingRatio: ratio, response: 0.4))
        let time = curve.settlingTime(epsilon: 0.001)
        #expect(time.map { $0.isFinite && $0 > 0 } ?? (ratio < 1e-200))
    }

    @Test("Reanimated's default (k 900, c 120, m 4) ends when the energy of a critical spring is 6e-9")
    func reanimated() throws {
        // e^-2s ((1+s)² + s²) = 6e-9 has its root at s = 12.6297; ω = 15.
        let curve = SpringCurve(try Spring(mass: 4, stiffness: 900, damping: 120))
        let time = try #require(PlatformSettling(curve, epsilon: 0.001)["reanimated"])
        let s = time * 15
        #expect(abs(exp(-2 * s) * (pow(1 + s, 2) + s * s) / 6e-9 - 1) < 1e-9)
    }
}

extension PlatformSettling {
    /// Returns the settling time of a platform.
    subscript(name: String) -> Double? { times.first { $0.key == name }?.value }
}
