import HTTPExchange
import HTTPTypes
import ServiceHarness
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
            ("dampingRatio=1&response=1&bounce=0.3", 400, ["dampingRatio", "response", "bounce"]),
            ("convention=wwdc&dampingRatio=1&response=1&bounce=0.3", 400, ["bounce"]),
            ("dampingRatio=1&dampingRatio=1&response=1", 400, ["dampingRatio"]),
            ("dampingRatio=1&damping=1&response=1", 400, ["dampingRatio", "damping"]),
            ("convention=nobody&response=1", 422, ["convention"]), ("tension=170&friction=26", 400, ["convention"]),
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
            ("dampingRatio=1&response=0.4&duration=0.1", 422, ["duration"]),
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

    @Test(
        "invalid input is refused with the name of the parameter",
        arguments: paths.flatMap { path, rows in rows.map { ("\(path)?\($0.query)", $0.status, $0.faults) } }
    )
    func refusals(target: String, status: Int, faults: [String]) throws {
        let answer = try Service().get("/v1/\(target)")
        #expect(answer.status.code == status, "\(answer.text)")
        #expect(answer.faults == faults, "\(answer.text)")
        #expect(answer.fields[.contentType] == "application/problem+json")
    }
}
