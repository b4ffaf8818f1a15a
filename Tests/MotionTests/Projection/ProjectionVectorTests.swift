import Motion
import Testing

@Suite("Golden cases of projection")
struct ProjectionVectorTests {
    @Test("distance", arguments: VectorCase.suite("projection.distance"))
    func distance(vector: VectorCase) throws {
        let deceleration = try Deceleration(rate: vector.number("decelerationRate"))
        let velocity = vector.number("velocity")
        #expect(vector.accepts(deceleration.wwdcDistance(velocity: velocity), "wwdc"))
        #expect(vector.accepts(deceleration.distance(velocity: velocity), "exact"))
    }

    @Test("decay", arguments: VectorCase.suite("projection.decay"))
    func decay(vector: VectorCase) throws {
        let state = try Deceleration(rate: vector.number("decelerationRate")).state(
            at: vector.number("time"),
            start: vector.number("start"),
            velocity: vector.number("velocity")
        )
        #expect(vector.accepts(state.position, "position"))
        #expect(vector.accepts(state.velocity, "velocity"))
    }

    @Test("rest time", arguments: VectorCase.suite("projection.restTime"))
    func restTime(vector: VectorCase) throws {
        let time = try Deceleration(rate: vector.number("decelerationRate")).restTime(
            velocity: vector.number("velocity"),
            threshold: vector.number("threshold")
        )
        #expect(vector.accepts(time, "restTime"))
    }

    @Test("other platforms", arguments: VectorCase.suite("projection.platform"))
    func platform(vector: VectorCase) throws {
        let velocity = vector.number("velocity")
        switch vector.input["model"]?.text {
        case "android.exponential":
            let friction = vector.number("friction")
            let fling = PlatformFling.androidExponential(velocity: velocity, friction: friction, threshold: 0.1)
            #expect(vector.accepts(fling.distance, "distance"))
        case "android.spline":
            let fling = PlatformFling.androidSpline(
                velocity: velocity,
                density: vector.number("density"),
                friction: vector.number("friction")
            )
            #expect(vector.accepts(fling.distance, "distance"))
            #expect(vector.accepts(fling.durationMs, "durationMs"))
        // The operation computes them: ProjectionEndpointTests.
        case "motion.inertia", "flutter.friction": break
        default: Issue.record("a model without a test")
        }
    }

    @Test("rubberband", arguments: VectorCase.suite("rubberband"))
    func rubberband(vector: VectorCase) throws {
        switch vector.input["model"]?.text {
        case "power":
            let band = Rubberband.power(exponent: vector.number("exponent"))
            let value = band.value(offset: vector.number("offset"))
            #expect(vector.accepts(value, "value"))
            #expect(vector.accepts(band.offset(value: value), "inverse"))
        case "apple", "appleInverse":
            let band = Rubberband.apple(
                dimension: vector.number("dimension"),
                constant: vector.number("constant")
            )
            if let offset = vector.input["offset"]?.number {
                #expect(vector.accepts(band.value(offset: offset), "value"))
            } else {
                #expect(vector.accepts(band.offset(value: vector.number("value")), "offset"))
            }
        case "accelerationDrag":
            let band = Rubberband.accelerationDrag(verticalOffset: vector.number("verticalOffset"))
            #expect(vector.accepts(band.value(offset: vector.number("offset")), "value"))
        default: Issue.record("a model without a test")
        }
    }

    @Test("relative velocity", arguments: VectorCase.suite("gesture.relativeVelocity"))
    func relativeVelocity(vector: VectorCase) {
        let relative = RelativeVelocity.of(
            velocity: vector.number("velocity"),
            from: vector.number("current"),
            to: vector.number("target")
        )
        #expect(vector.accepts(relative, "relativeVelocity"))
    }
}
