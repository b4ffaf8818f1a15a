import HTTPExchange
import HTTPTypes
import Motion
import ServiceHarness
import SpringConventions
import Testing

@Suite("Refused requests of motion", .on(.process, .wire))
struct MotionRefusalTests {
    /// The queries of each path, with the status and the parameters of the errors.
    static let paths: KeyValuePairs<String, [(query: String, status: Int, faults: [String])]> = [
        "springs": [
            ("", 400, ["dampingRatio"]), ("response=0.4", 400, ["dampingRatio"]),
            ("dampingRatio=1", 400, ["response"]),
            ("dampingRatio=nan&response=1", 400, ["dampingRatio"]),
            ("dampingRatio=inf&response=1", 400, ["dampingRatio"]),
            ("dampingRatio=1e999&response=1", 400, ["dampingRatio"]),
            ("dampingRatio=&response=1", 400, ["dampingRatio"]),
            ("dampingRatio=1&dampingRatio=1&response=1", 400, ["dampingRatio"]),
            ("convention=nobody&response=1", 422, ["convention"]),
            ("settlingDuration=1&overshoot=1", 422, ["overshoot"]),
            ("convention=uikit.durationRatio&duration=1&dampingRatio=0.001", 422, ["dampingRatio"]),
            ("convention=svelte&stiffness=2", 422, ["stiffness"]), ("convention=svelte&damping=1", 422, ["damping"]),
            ("convention=physical&mass=0&stiffness=1&damping=1", 422, ["mass"]),
            ("duration=0.5&bounce=-1", 422, ["bounce"]),
            ("stiffness=1&damping=1&allowOverDamping=yes", 422, ["allowOverDamping"]),
        ],
        "springs/linear": [
            ("dampingRatio=1&response=0.4&maxError=x", 400, ["maxError"]),
            ("dampingRatio=1&response=0.4&duration=0", 422, ["duration"]),
        ],
        "springs/compare": [
            (
                "a.dampingRatio=-1&a.response=1&b.dampingRatio=1&b.response=0", 422,
                ["a.dampingRatio", "b.response"]
            ), ("b.dampingRatio=1&b.response=0", 400, ["a.dampingRatio", "b.response"]),
        ],
        "springs/plot.svg": [
            ("dampingRatio=-1&response=1&b.dampingRatio=x&b.response=1", 400, ["dampingRatio", "b.dampingRatio"]),
            ("dampingRatio=-1&response=1", 422, ["dampingRatio"]),
        ],
        "springs/export": [
            ("format=gsap&dampingRatio=0&response=0.4", 422, ["dampingRatio"]),
            ("format=gsap&dampingRatio=1&response=0.4&duration=0.1", 422, ["duration"]),
        ],
        "springs/curve": [
            ("dampingRatio=1&response=1&times=0,,1", 400, ["times"]),
            ("dampingRatio=1&response=1&time=1&velocity=3", 400, ["target"]),
            ("dampingRatio=1&response=1&time=1&target=3&initialVelocity=1", 400, ["initialVelocity"]),
        ],
        "projection": [
            ("velocity=x", 400, ["velocity"]),
            ("velocity=1&decelerationRate=slow", 400, ["decelerationRate"]),
            ("velocity=1&position=1&start=1", 400, ["position", "start"]),
            ("velocity=1&distance=1", 400, ["velocity", "distance"]), ("velocity=1&model=nobody", 422, ["model"]),
            ("velocity=1&model=flutter.bouncing", 400, ["trailingExtent"]),
            ("velocity=1&model=flutter.bouncing&trailingExtent=-1", 422, ["trailingExtent"]),
            ("velocity=1&model=android.spline&times=1,x", 400, ["times"]),
            ("velocity=1&targets=1,,2", 400, ["targets"]),
        ],
        "rubberband": [
            ("offset=1&model=steel", 422, ["model"]),
            ("model=power&offset=1&dimension=3", 400, ["dimension"]), ("", 400, ["offset"]),
        ],
    ]

    /// Requests with the text of their problem: the parameter, its fault and the allowed values, each once.
    static let details: [(target: String, status: Int, faults: [String], detail: String?)] = [
        (
            "springs?dampingRatio=1&damping=1&response=1", 400, ["dampingRatio", "damping"],
            "`dampingRatio` and `damping` are not allowed together; give one of them."
        ),
        (
            "springs?response=1&dampingRatio=1&bounce=0.3", 400, ["response", "dampingRatio", "bounce"],
            "No convention has `response`, `dampingRatio` and `bounce` together; name one in `convention` to see its parameters."
        ),
        (
            "springs?tension=170&friction=26", 400, ["convention"],
            "`convention` is missing: `tension` and `friction` mean different springs in "
                + "`reactspring.tensionFriction` and `origami`; name one."
        ),
        (
            "springs?convention=wwdc&dampingRatio=1&response=1&bounce=0.3", 400, ["bounce"],
            "`bounce` is not a parameter of `wwdc`; its parameters are `dampingRatio` and `response`."
        ),
        (
            "springs/compare?a.dampingRatio=1&a.response=1&b.convention=x", 422, ["b.convention"],
            "`b.convention` must be one of \(Conventions.all.map { "`\($0.id)`" }.joined(separator: ", "))."
        ),
        (
            "springs/compare?a.dampingRatio=1&a.response=1&b.dampingRatio=1", 400, ["b.response"],
            "`b.response` is missing; `wwdc` requires it."
        ),
        (
            "springs/compare?a.dampingRatio=101&a.response=1&b.dampingRatio=1", 400, ["a.dampingRatio", "b.response"],
            "`a.dampingRatio` must be from 0 to 100. `b.response` is missing; `wwdc` requires it."
        ),
        ("springs?dampingRatio=101&response=1", 422, ["dampingRatio"], "`dampingRatio` must be from 0 to 100."),
        (
            "springs?dampingRatio=1&response=0", 422, ["response"],
            "`response` must be from 6.283185307179586e-05 to 60."
        ),
        (
            "springs?dampingRatio=1&response=1&initialVelocity=1e7", 422, ["initialVelocity"],
            "`initialVelocity` must be from -1e6 to 1e6."
        ),
        ("projection?velocity=1e10", 422, ["velocity"], "`velocity` must be from -1e9 to 1e9."),
        (
            "springs/linear?stiffness=100&damping=0", 422, ["damping"],
            "`damping` leads to a spring that never settles, which no CSS easing can follow."
        ),
        (
            "springs/linear?dampingRatio=0.8&response=0.3&duration=0.1", 422, ["duration"],
            "`duration` ends while the spring is still 0.3 of the travel from its target; use at least 0.384 s."
        ),
    ]

    @Test(
        "invalid input is refused with the name of the parameter; two springs' errors together, 400 if one is malformed",
        arguments: paths.flatMap { path, rows in rows.map { ("\(path)?\($0.query)", $0.status, $0.faults, nil) } }
            + details
    )
    func refusals(target: String, status: Int, faults: [String], detail: String?) throws {
        let answer = try Service().get("/v1/\(target)")
        #expect(answer.status.code == status, "\(answer.text)")
        #expect(answer.json["status"] as? Int == status)
        #expect(answer.faults == faults, "\(answer.text)")
        #expect(answer.fields[.contentType] == "application/problem+json")
        if let detail { #expect(answer.json["detail"] as? String == detail) }
    }
}
