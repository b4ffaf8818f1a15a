import Foundation
import HTTPExchange
import HTTPTypes
import ServiceHarness
import Testing

@Suite("GET /v1/projection")
struct ProjectionEndpointTests {
    @Test("one request returns the projection, the nearest target and the relative velocity")
    func targets() throws {
        let answer = try Service().get("/v1/projection?velocity=1000&position=100&targets=0,400,800")
        // The projected end, 100 + 499 = 599, is one point nearer to 400 than to 800.
        #expect(answer.number("nearest/target") == 400)
        #expect(answer.number("nearest/index") == 1)
        #expect(answer.number("nearest/relativeVelocity") == 1000.0 / 300)
        let tie = try Service().get("/v1/projection?velocity=0&position=5&targets=20,10,0")
        #expect(tie.number("nearest/index") == 1, "of equally near targets the first is chosen")
    }

    @Test(
        "each parameter of a model has its effect, and its default has none",
        arguments: [
            ("android.exponential&velocity=9", "friction", "1", "2"),
            ("android.exponential&velocity=9", "threshold", "0.1", "1"),
            ("android.spline&velocity=9", "density", "1", "2"),
            ("android.spline&velocity=9", "friction", "0.015", "0.03"),
            ("motion.inertia&velocity=9&times=1", "start", "0", "5"),
            ("motion.inertia&velocity=9&times=1", "power", "0.8", "1"),
            ("motion.inertia&velocity=9&times=1", "timeConstant", "325", "200"),
            ("flutter.friction&velocity=9&time=1", "start", "0", "5"),
            ("flutter.friction&velocity=9&time=1", "drag", "0.135", "0.5"),
            ("flutter.clamping&velocity=9", "friction", "0.015", "0.03"),
            ("reactspring.decay&velocity=9&time=1", "start", "0", "5"),
            ("reactspring.decay&velocity=9&time=1", "decay", "0.998", "0.9"),
        ]
    )
    func effect(query: String, name: String, standard: String, other: String) throws {
        let service = try Service()
        let answer = service.get("/v1/projection?model=\(query)")
        let same = service.get("/v1/projection?model=\(query)&\(name)=\(standard)")
        let changed = service.get("/v1/projection?model=\(query)&\(name)=\(other)")
        #expect(answer.status == 200 && changed.status == 200, "\(changed.text)")
        #expect(same.text == answer.text)
        #expect(changed.text != answer.text)
    }

    @Test(
        "a motion ends at its start and its distance",
        arguments: [
            ("velocity=1000&start=100", "end/wwdc", 599),
            ("velocity=1000&start=100", "end/exact", 100 - 1 / log(0.998)),
            ("velocity=1000&start=100&time=1e6", "position", 100 - 1 / log(0.998)),
            ("model=reactspring.decay&velocity=1000&start=100&time=1e6", "position", 600),
            ("model=motion.inertia&velocity=1000&start=100", "target", 900),
            ("model=flutter.friction&velocity=1000&start=100", "target", 100 - 1000 / log(0.135)),
        ]
    )
    func ends(query: String, member: String, end: Double) throws {
        let answer = try Service().get("/v1/projection?\(query)")
        #expect(abs(try #require(answer.number(member), "\(answer.text)") - end) < 1e-9)
    }
}
