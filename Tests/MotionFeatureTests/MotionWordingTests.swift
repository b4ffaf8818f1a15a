import Motion
import ServiceHarness
import Testing

/// The texts of motion problems: the parameter, its fault and the allowed values, without repetition.
@Suite("The texts of motion problems")
struct MotionWordingTests {
    @Test(
        "name the parameter of the request and state its error once",
        arguments: [
            (
                "springs?dampingRatio=1&damping=1&response=1",
                "`dampingRatio` and `damping` are not allowed together; give one of them."
            ),
            (
                "springs?response=1&dampingRatio=1&bounce=0.3",
                "No convention has `response`, `dampingRatio` and `bounce` together; name one in `convention` to see its parameters."
            ),
            (
                "springs?tension=170&friction=26",
                "`convention` is missing: `tension` and `friction` mean different springs in "
                    + "`reactspring.tensionFriction` and `origami`; name one."
            ),
            (
                "springs?convention=wwdc&dampingRatio=1&response=1&bounce=0.3",
                "`bounce` is not a parameter of `wwdc`; its parameters are `dampingRatio` and `response`."
            ),
            (
                "springs/compare?a.dampingRatio=1&a.response=1&b.dampingRatio=1",
                "`b.response` is missing; `wwdc` requires it."
            ),
            (
                "springs/compare?a.dampingRatio=101&a.response=1&b.dampingRatio=1",
                "`a.dampingRatio` must be from 0 to 100. `b.response` is missing; `wwdc` requires it."
            ),
            ("springs?dampingRatio=101&response=1", "`dampingRatio` must be from 0 to 100."),
            ("springs?dampingRatio=1&response=0", "`response` must be from 6.283185307179586e-05 to 60."),
            ("springs?dampingRatio=1&response=1&initialVelocity=1e7", "`initialVelocity` must be from -1e6 to 1e6."),
            ("projection?velocity=1e10", "`velocity` must be from -1e9 to 1e9."),
            (
                "springs/linear?stiffness=100&damping=0",
                "`damping` leads to a spring that never settles, which no CSS easing can follow."
            ),
            (
                "springs/linear?dampingRatio=0.8&response=0.3&duration=0.1",
                "`duration` ends while the spring is still 0.3 of the travel from its target; "
                    + "use at least 0.384 s."
            ),
        ]
    )
    func wording(target: String, detail: String) throws {
        let answer = try Service().get("/v1/\(target)")
        #expect(answer.json["detail"] as? String == detail)
        #expect(!answer.faults.isEmpty)
    }

    @Test("an error for an unknown convention has its prefix and lists all conventions")
    func convention() throws {
        let answer = try Service().get("/v1/springs/compare?a.dampingRatio=1&a.response=1&b.convention=x")
        #expect(answer.faults == ["b.convention"])
        let ids = Conventions.all.map { "`\($0.id)`" }.joined(separator: ", ")
        #expect(answer.text.contains("must be one of \(ids)"))
    }
}
