import Motion
import Testing

@Suite("Golden cases of springs")
struct SpringVectorTests {
    /// Returns the spring of a case that has no convention id.
    private func curve(_ vector: VectorCase) throws -> SpringCurve {
        let spring: Spring
        if vector.input["stiffness"] != nil {
            spring = try Spring(
                mass: vector.number("mass"),
                stiffness: vector.number("stiffness"),
                damping: vector.number("damping")
            )
        } else if let bounce = vector.input["bounce"]?.number {
            let duration = vector.input["duration"]?.number ?? 1.2 * vector.number("visualDuration")
            spring = try Spring(dampingRatio: 1 - bounce, response: duration)
        } else {
            spring = try Spring(dampingRatio: vector.number("dampingRatio"), response: vector.number("response"))
        }
        return SpringCurve(spring, initialVelocity: vector.input["initialVelocity"]?.number ?? 0)
    }

    @Test("positions and velocities", arguments: VectorCase.suite("spring.sample"))
    func sample(vector: VectorCase) throws {
        let curve = try curve(vector)
        for (index, time) in vector.numbers("times").enumerated() {
            let state = curve.state(at: time)
            for (value, name) in [(state.position, "position"), (state.velocity, "velocity")] {
                guard let expected = vector.expect[name]?.numbers?[index] else { continue }
                #expect(abs(value - expected) <= vector.tolerance * max(1, abs(expected)))
            }
        }
    }

    @Test("absolute motion", arguments: VectorCase.suite("spring.sampleAbsolute"))
    func absolute(vector: VectorCase) throws {
        let state = try curve(vector).spring.state(
            at: vector.number("time"),
            start: vector.number("start"),
            target: vector.number("target"),
            velocity: vector.number("velocity")
        )
        #expect(vector.accepts(state.position, "value"))
        #expect(vector.accepts(state.velocity, "velocity"))
    }

    @Test("settling", arguments: VectorCase.suite("spring.settle"))
    func settle(vector: VectorCase) throws {
        #expect(vector.accepts(try curve(vector).settlingTime(epsilon: vector.number("epsilon")), "settlingTime"))
    }

    @Test("the platforms' settling", arguments: VectorCase.suite("spring.settlePlatform"))
    func settlePlatform(vector: VectorCase) throws {
        let platforms = PlatformSettling(try curve(vector), epsilon: vector.number("epsilon"))
        for name in ["swiftui", "coreAnimation", "motion50ms"] {
            #expect(vector.accepts(platforms[name], name))
        }
    }

    @Test("overshoot", arguments: VectorCase.suite("spring.overshoot"))
    func overshoot(vector: VectorCase) throws {
        #expect(vector.accepts(try curve(vector).overshoot, "overshoot"))
    }
}

extension PlatformSettling {
    /// Returns the settling time of a platform.
    subscript(name: String) -> Double? { times.first { $0.key == name }?.value }
}
