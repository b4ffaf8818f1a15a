import Motion
import Testing

@Suite("Projection, rubberband and relative velocity")
struct ProjectionTests {
    @Test("at the rest time, the threshold is the remaining distance")
    func restTime() {
        let time = Deceleration.fast.restTime(velocity: -800, threshold: 0.5)
        let position = Deceleration.fast.state(at: time, start: 10, velocity: -800).position
        #expect(abs(abs(10 + Deceleration.fast.distance(velocity: -800) - position) - 0.5) < 1e-9)
        #expect(Deceleration.fast.restTime(velocity: 1, threshold: 0.5) == 0)
        #expect(Deceleration.fast.restTime(velocity: 0, threshold: 0.5) == 0)
    }

    @Test("a rate must be between 0 and 1", arguments: [0, 1, -1, 1.5, .nan, .infinity])
    func rates(rate: Double) {
        #expect(throws: MotionError.self) { try Deceleration(rate: rate) }
    }

    @Test(
        "the value grows with the offset, keeps its sign, and has an inverse",
        arguments: [
            Rubberband.power(exponent: 0.7), .apple(dimension: 600, constant: 0.55),
            .accelerationDrag(verticalOffset: 180),
        ]
    )
    func rubberband(band: Rubberband) throws {
        var last = -Double.infinity
        for offset in stride(from: -900.0, through: 900, by: 0.75) {
            let value = band.value(offset: offset)
            #expect(value > last)
            #expect(value.sign == offset.sign || value == 0)
            #expect(abs(try #require(band.offset(value: value)) - offset) < 1e-8)
            last = value
        }
    }

    @Test("UIKit's content never reaches its dimension")
    func appleLimit() {
        let band = Rubberband.apple(dimension: 600, constant: 0.55)
        #expect(band.value(offset: 1e12) < 600)
        #expect(band.offset(value: 600) == nil)
    }

    @Test("the relative velocity is exactly 0 without distance, and limited by the cap")
    func relativeVelocity() {
        #expect(RelativeVelocity.of(velocity: 750, from: 20, to: 20) == 0)
        #expect(RelativeVelocity.of(velocity: 750, from: 20, to: 20 + 1e-12) > 1e12)
        #expect(RelativeVelocity.of(velocity: 750, from: 20, to: 20 + 1e-12, cap: 30) == 30)
        #expect(RelativeVelocity.of(velocity: -750, from: 20, to: 21, cap: 30) == -30)
        #expect(RelativeVelocity.of(velocity: 1e300, from: 0, to: .leastNonzeroMagnitude).isFinite)
    }
}
