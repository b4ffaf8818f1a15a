import HTTPExchange
import HTTPTypes
import ServiceHarness
import Testing

@Suite("POST /v1/gestures")
struct GestureEndpointTests {
    @Test("the drawer's cap depends on the mode, its duration factor on the running animation")
    func drawer() throws {
        let service = try Service()
        let content = #""velocityY":-1000,"fractionComplete":0.99,"closedTranslationY":500,"isOpen":false"#
        let article = service.post("/v1/gestures/drawer", "{\(content)}")
        let repo = service.post(
            "/v1/gestures/drawer",
            "{\(content),\"mode\":\"repo\",\"runningDuration\":0.5}"
        )
        let none = service.post("/v1/gestures/drawer", "{\(content),\"mode\":\"repo\",\"cap\":null}")
        #expect(abs(article.number("relativeVelocity")! - 200) < 1e-9)
        #expect(repo.number("relativeVelocity") == 30)
        #expect(abs(none.number("relativeVelocity")! - 200) < 1e-9)
        // 0.46284… s of Core Animation for ratio 0.8, response 0.3 (spring.settlePlatform).
        #expect(abs(repo.number("durationFactor")! - 0.46284564040160686 / 0.5) < 1e-9)
        #expect(article.json["durationFactor"] == nil)
        for (duration, status) in [("0.001", 200), ("0.000999", 422), ("1e6", 200), ("1000001", 422)] {
            let answer = service.post("/v1/gestures/drawer", "{\(content),\"runningDuration\":\(duration)}")
            #expect(answer.status.code == status, "\(duration)")
        }
    }

    /// Events as type, force and distance.
    static let presses = [
        ("begin 0 0", false), ("begin 0.6 0", false), ("begin 0.6 0, move 0 0", false), ("begin 0.6 0, end 0 0", true),
        ("begin 0.6 0, cancel 0 0", true), ("begin 0.6 0, move 0.6 45", true),
        ("begin 0.6 0, move 0.6 45, move 0.6 0", true), ("begin 0.6 0, end 0 0, begin 0 0", false),
    ]

    @Test("the answer of the force button contains its spring only if it springs back", arguments: presses)
    func springBack(events: String, springs: Bool) throws {
        let list = events.split(separator: ", ").map { event in
            let words = event.split(separator: " ")
            return #"{"type":"\#(words[0])","force":\#(words[1]),"distance":\#(words[2])}"#
        }
        let content = #"{"events":[\#(list.joined(separator: ","))]}"#
        let answer = try Service().post("/v1/gestures/force-button", content)
        #expect(answer.status == 200 && (answer.json["spring"] != nil) == springs, "\(answer.text)")
    }

    @Test(
        "invalid input is refused with its pointer",
        .on(.process, .wire),
        arguments: [
            ("pause", "", 400, [""]), ("pause", "[]", 422, [""]), ("pause", "{}", 422, ["/samples"]),
            ("pause", #"{"samples":[{"velocity":1e999,"offset":0}]}"#, 400, nil),
            ("pause", #"{"samples":[{"velocity":"1","offset":0}]}"#, 422, ["/samples/0/velocity"]),
            ("pause", #"{"samples":[{"velocity":1,"offset":0,"x":1}]}"#, 422, ["/samples/0/x"]),
            ("pause", #"{"mode":"both","samples":[{"velocity":1,"offset":0}]}"#, 422, ["/mode"]),
            ("pause", #"{"samples":[],"samples":[]}"#, 400, nil),
            ("force-button", #"{"events":[{"type":"press","force":1,"distance":0}]}"#, 422, ["/events/0/type"]),
            ("drawer", #"{"velocityY":1}"#, 422, nil),
            ("drawer", #"{"translationY":1,"closedTranslationY":0,"isOpen":true}"#, 422, ["/closedTranslationY"]),
            ("drawer", #"{"translationY":1,"closedTranslationY":-500,"isOpen":true}"#, 422, ["/closedTranslationY"]),
            (
                "pip", #"{"center":[1,1],"velocity":[1,1],"corners":[],"decelerationRate":1}"#, 422,
                ["/decelerationRate"]
            ),
            ("rotation", #"{"rotation":1}"#, 422, ["/velocity"]),
        ] as [(String, String, Int, [String]?)]
    )
    func refusals(path: String, content: String, status: Int, faults: [String]?) throws {
        let answer = try Service().post("/v1/gestures/\(path)", content)
        #expect(answer.status.code == status, "\(answer.text)")
        if let faults { #expect(answer.faults == faults, "\(answer.text)") }
    }
}
