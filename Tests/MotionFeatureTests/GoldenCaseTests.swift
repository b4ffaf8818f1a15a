import HTTPExchange
import HTTPTypes
import ServiceHarness
import Testing

/// The golden cases of `Tests/Vectors/motion.json`; those of CSS easings are in `LinearEndpointTests`.
@Suite("Golden cases of motion", .on(.process, .wire))
struct GoldenCaseTests {
    /// A suite of the file, the path of its requests, and the location of its numbers in the answer (API.md, section 2).
    static let suites: [(name: String, path: String, location: String)] = [
        ("spring.convert", "springs", "spring/"), ("spring.settle", "springs", "settling/"),
        ("spring.settlePlatform", "springs", "settling/platforms/"), ("spring.overshoot", "springs", ""),
        ("spring.sample", "springs/curve", ""), ("spring.sampleAbsolute", "springs/curve", ""),
        ("rubberband", "rubberband", ""), ("gesture.relativeVelocity", "relative-velocity", ""),
        ("projection.distance", "projection", ""), ("projection.decay", "projection", ""),
        ("projection.restTime", "projection", ""), ("projection.platform", "projection", ""),
        ("gesture.pause", "gestures/pause", ""), ("gesture.forceButton", "gestures/force-button", ""),
        ("gesture.calculatorButton", "gestures/calculator-button", ""), ("gesture.pip", "gestures/pip", ""),
        ("gesture.drawerFraction", "gestures/drawer", ""), ("gesture.drawerEnd", "gestures/drawer", ""),
        ("gesture.rotation", "gestures/rotation", ""),
    ]

    @Test("are those of the answers", arguments: suites)
    func suite(name: String, path: String, location: String) throws {
        let service = try Service()
        let target = "/v1/" + path
        for vector in MotionVector.suite(name) {
            let isGesture = path.hasPrefix("gestures/")
            let answer = isGesture ? service.post(target, vector.content) : service.get("\(target)?\(vector.query)")
            #expect(answer.status == 200, "\(vector.name) \(answer.text)")
            for (name, expected) in vector.expect {
                let found = answer.member(location + name)
                #expect(vector.accepts(found, expected), "\(vector.name) \(name) \(answer.text)")
            }
        }
    }
}
