import Foundation
import Motion
import SpringConventions
import TestSupport
import Testing

/// Parses a `linear()` by the rules of the specification, independently of the code that writes it.
struct ParsedLinear {
    let stops: [(value: Double, position: Double)]

    init(_ css: String) throws {
        let inner = try #require(css.wholeMatch(of: /linear\((.*)\)/)?.1)
        let parts = inner.split(separator: ",").map { $0.split(separator: " ") }
        stops = parts.enumerated().map { index, part in
            let position =
                part.count > 1
                ? Double(part[1].dropLast())! / 100 : index == 0 ? 0 : index == parts.count - 1 ? 1 : .nan
            return (Double(part[0])!, position)
        }
    }

    func value(at share: Double) -> Double {
        let end = stops.indices.dropFirst().first { stops[$0].position >= share } ?? stops.count - 1
        let (one, two) = (stops[end - 1], stops[end])
        return one.value + (two.value - one.value) * (share - one.position) / (two.position - one.position)
    }

    /// Returns the largest distance to a spring at 20 001 points, the definition of the vector suite's `check`.
    func error(of curve: SpringCurve, duration: Double) -> Double {
        (0...20_000).map { point in
            let share = Double(point) / 20_000
            return abs(value(at: share) - curve.position(at: duration * share))
        }.max()!
    }
}

@Suite("CSS linear()")
struct LinearFitTests {
    @Test("stays within its error for any spring and any error")
    func random() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<12 {
            let curve = SpringCurve(
                Spring(
                    ratio: Double.random(in: 0.08...3, using: &generator),
                    response: Double.random(in: 0.05...2, using: &generator)
                ),
                initialVelocity: Bool.random(using: &generator) ? 0 : Double.random(in: -8...20, using: &generator)
            )
            let maxError = pow(10, Double.random(in: -2.5 ... -1, using: &generator))
            let fit = try LinearFit(curve, maxError: maxError)
            let parsed = try ParsedLinear(fit.easing.css)
            let error = parsed.error(of: curve, duration: fit.duration)
            #expect(error <= maxError && abs(error - fit.measuredError) < 1e-12)
            #expect(fit.easing.count == parsed.stops.count)
            #expect(parsed.stops.first?.value == 0 && parsed.stops.last?.value == 1)
            #expect(curve.initialVelocity < 0 || parsed.stops.allSatisfy { $0.value >= 0 })
            #expect(fit.endResidual <= maxError)
            // Stops are in ascending order.
            #expect(zip(parsed.stops, parsed.stops.dropFirst()).allSatisfy { $0.position < $1.position })
        }
    }

    @Test("a velocity away from the target may dip below the start")
    func dip() throws {
        let curve = SpringCurve(try Spring(dampingRatio: 1, response: 0.4), initialVelocity: -6)
        let parsed = try ParsedLinear(try LinearFit(curve, maxError: 0.005).easing.css)
        #expect(parsed.stops.contains { $0.value < -0.05 })
    }

    @Test("a spring that oscillates a hundred times has positions in hundredths of a percent")
    func swings() throws {
        let curve = SpringCurve(try Spring(dampingRatio: 0.01, response: 0.1))
        let fit = try LinearFit(curve, maxError: 0.02)
        #expect(fit.easing.css.contains(/\d\.\d\d%/))
        #expect(try ParsedLinear(fit.easing.css).error(of: curve, duration: fit.duration) <= 0.02)
    }

    @Test("follows a kink right after the start", arguments: [(10.0, 0.0), (100, 0), (30, 0.4), (12, -0.6)])
    func kink(ratio: Double, velocity: Double) throws {
        let spring = try Spring(dampingRatio: ratio, response: 0.4)
        let curve = SpringCurve(spring, initialVelocity: velocity)
        let fit = try LinearFit(curve, maxError: 0.001)
        let parsed = try ParsedLinear(fit.easing.css)
        // The fast exponential ends within a ten-thousandth of the duration, between the 20 001 points of `error`.
        for point in 0...2000 {
            let share = Double(point) / 2000 / 1000
            #expect(abs(parsed.value(at: share) - curve.position(at: fit.duration * share)) <= 0.001)
        }
        #expect(parsed.error(of: curve, duration: fit.duration) <= 0.001)
    }

    @Test("columns are dense only where the curve bends")
    func columns() throws {
        let creeping = SpringCurve(try Spring(dampingRatio: 40, response: 0.4), initialVelocity: -300)
        let duration = creeping.settlingTime(epsilon: 0.0005)!
        let corridor = Corridor(creeping, duration: duration, margin: 0.001, columns: 10_000)
        #expect(corridor.positions.first == 0 && corridor.positions.last == 10_000)
        #expect(zip(corridor.positions, corridor.positions.dropFirst()).allSatisfy { 1...10 ~= $1 - $0 })
        #expect(corridor.positions[1] == 1)
        // The search time grows with the square of it: all hundredths of a flat curve would take half a second.
        #expect(corridor.positions.count < 2000)
        let swinging = SpringCurve(try Spring(dampingRatio: 0.01, response: 0.4))
        let dense = Corridor(swinging, duration: 30, margin: 0.001, columns: 10_000)
        #expect(dense.positions.count > 8000)
    }

    @Test("a curve without an easing is refused with the name of the parameter")
    func refusals() throws {
        let undamped = SpringCurve(try Spring(dampingRatio: 0, response: 1))
        #expect(throws: MotionError.self) { try LinearFit(undamped, maxError: 0.01) }
        let curve = SpringCurve(try Spring(dampingRatio: 0.8, response: 0.3))
        for (maxError, duration) in [(0.0004, 1.0), (0.11, 1), (.nan, 1), (0.01, 0), (0.01, -1), (0.01, .infinity)] {
            #expect(throws: MotionError.self) { try LinearFit(curve, maxError: maxError, duration: duration) }
        }
        do throws(MotionError) {
            _ = try LinearFit(curve, maxError: 0.001, duration: 0.1)
            Issue.record("a curve that is cut off has an easing")
        } catch {
            guard case .noCurve("curveDuration", let reason) = error else { throw error }
            #expect(reason.contains("at least 0.405 s"))
        }
        let wild = SpringCurve(try Spring(dampingRatio: 0.0001, response: 0.01))
        do throws(MotionError) {
            _ = try LinearFit(wild, maxError: 0.01)
            Issue.record("a curve with more oscillations than printable positions has an easing")
        } catch {
            guard case .noCurve("maxError", let reason) = error else { throw error }
            #expect(reason.contains("try a larger error or a shorter `curveDuration`"))
        }
    }

    @Test("an easing goes below the start only if the spring does, as one that a velocity throws beyond its start")
    func rebound() throws {
        let spring = try Spring(dampingRatio: 0.2, response: 0.4)
        for (velocity, dips) in [(58.5, true), (-58.5, true), (40, false), (10, false), (-0.001, false)] {
            let fit = try LinearFit(SpringCurve(spring, initialVelocity: velocity), maxError: 0.01)
            #expect(fit.easing.css.contains("-0.") == dips && fit.measuredError <= 0.01, "\(velocity)")
        }
    }

    @Test("a search that takes too long is stopped with advice")
    func work() throws {
        let curve = SpringCurve(try Spring(dampingRatio: 0.8, response: 0.3))
        #expect(throws: Never.self) { try LinearFit(curve, maxError: 0.01) }
        do throws(MotionError) {
            _ = try LinearFit(curve, maxError: 0.01, work: 1000)
            Issue.record("a thousand steps were enough")
        } catch {
            guard case .noCurve("maxError", let reason) = error else { throw error }
            #expect(reason.contains("a larger error or a shorter `curveDuration`"))
        }
    }

    @Test("the duration of an easing of a 63 µs spring is in microseconds")
    func shortest() throws {
        let spring = try Spring(dampingRatio: 1, response: SpringRange.responses.lower)
        let fit = try LinearFit(SpringCurve(spring), maxError: 0.01)
        #expect(fit.duration > 5e-5 && fit.duration < 1e-4 && fit.endResidual <= 0.005)
    }
}

@Suite("The fallback of linear()")
struct CubicBezierTests {
    @Test(
        "is within 2.2 % of a spring with little overshoot or none, and overshoots only with it",
        arguments: [(1.0, 0.022), (2, 0.0175), (0.8, 0.0205)]
    )
    func fit(ratio: Double, error: Double) throws {
        let curve = SpringCurve(try Spring(dampingRatio: ratio, response: 0.4))
        let duration = curve.settlingTime(epsilon: 0.001)!
        let bezier = CubicBezier(fitting: curve, duration: duration)
        let distances = (0...1024).map { step in
            let point = bezier.point(at: Double(step) / 1024)
            return abs(point.value - curve.position(at: duration * point.position))
        }
        #expect(distances.max()! < error)
        #expect(0...1 ~= bezier.x1 && 0...1 ~= bezier.x2)
        let highest = (0...1024).map { bezier.point(at: Double($0) / 1024).value }.max() ?? .infinity
        #expect(ratio < 1 || highest <= 1, "\(highest)")
    }

    @Test("the rule contains the fallback, then the easing inside @supports")
    func rule() throws {
        let curve = SpringCurve(try Spring(dampingRatio: 1, response: 0.4))
        let fit = try LinearFit(curve, maxError: 0.005)
        let css = fit.css
        #expect(css.hasPrefix("/* damping ratio 1, response 0.4 s; "))
        let fallback = try #require(css.range(of: "cubic-bezier("))
        let supports = try #require(css.range(of: "@supports (animation-timing-function: linear(0, 1))"))
        let easing = try #require(css.range(of: fit.easing.css))
        #expect(fallback.lowerBound < supports.lowerBound && supports.lowerBound < easing.lowerBound)
        #expect(css.filter { $0 == "{" }.count == css.filter { $0 == "}" }.count)
    }
}
