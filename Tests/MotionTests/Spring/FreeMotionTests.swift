import Foundation
import Motion
import TestSupport
import Testing

@Suite("The closed form")
struct FreeMotionTests {
    /// Ratios and responses over the whole input range, and velocities far beyond those of a finger.
    static let sample: [(ratio: Double, response: Double, velocity: Double)] = {
        var generator = SeededGenerator(seed: 2018)
        var ratios: [Double] = [0, 1e-6, 1, 1 + 1e-9, 1 - 1e-9, 1 + 1e-13, 1 - 1e-13, 1 + 1e-5, 1 - 1e-5, 100]
        for _ in 0..<40 { ratios.append(pow(10, Double.random(in: -3...2, using: &generator))) }
        for _ in 0..<20 { ratios.append(Double.random(in: 0.9...1.1, using: &generator)) }
        return ratios.map {
            (
                $0, pow(10, Double.random(in: -3...1.78, using: &generator)),
                Double.random(in: -25...60, using: &generator)
            )
        }
    }()

    @Test("is continuous through critical", arguments: [1e-13, 1e-11, 1e-9, 1e-7])
    func critical(gap: Double) throws {
        for velocity in [-25.0, 0, 3, 60] {
            let curves = try [1 - gap, 1, 1 + gap].map {
                SpringCurve(try Spring(dampingRatio: $0, response: 0.4), initialVelocity: velocity)
            }
            for time in [0.001, 0.05, 0.4, 2, 40] {
                let positions = curves.map { $0.position(at: time) }
                #expect(abs(positions[0] - positions[1]) <= 60 * gap)
                #expect(abs(positions[2] - positions[1]) <= 60 * gap)
            }
        }
    }

    @Test("does not overflow like cosh: the spring of motiondivision/motion#1207 is at 0.989 after 8.7 s")
    func overdamped() throws {
        // Motion 13.1.1 reaches 988.9 of 1000 before it jumps (k 4, c 35, m 0.5: rate 0.1143).
        let curve = SpringCurve(try Spring(mass: 0.5, stiffness: 4, damping: 35))
        let slow =
            curve.spring.naturalFrequency
            / (curve.spring.dampingRatio + (pow(curve.spring.dampingRatio, 2) - 1).squareRoot())
        #expect(abs(curve.position(at: 8.7) - (1 - 1.0033 * exp(-slow * 8.7))) < 1e-3)
        #expect(curve.position(at: 1e6) == 1)
        #expect(SpringCurve(try Spring(mass: 1, stiffness: 1, damping: 1e9)).position(at: 1e300) == 1)
    }

    @Test("starts at 0 and ends at the target")
    func ends() throws {
        for (ratio, response, velocity) in Self.sample where ratio > 0.01 {
            let curve = SpringCurve(
                try Spring(dampingRatio: ratio, response: response),
                initialVelocity: velocity
            )
            #expect(curve.state(at: 0) == SpringCurve.State(position: 0, velocity: velocity))
            #expect(abs(curve.position(at: 1e4 * response) - 1) < 1e-9)
        }
    }
}
