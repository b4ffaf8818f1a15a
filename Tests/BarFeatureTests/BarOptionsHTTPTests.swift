import BarFeature
import Testing

/// Tests the effect of every option of the contract; the tests of BarLayout have the details.
@Suite("Options over HTTP", .onEveryStore)
struct BarOptionsHTTPTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let option: String
        let events: [String]
        /// The JSON Pointer of a number in the answer, and its value with and without the option.
        let pointer: String
        let with: Double
        let without: Double
        /// The content offset at the creation.
        var y = 500.0
        /// The options of both bars.
        var base: [String] = []
        var feedback = "applied"

        var testDescription: String { option }

        func creation(_ options: [String]) -> String {
            let options = options.joined(separator: ",")
            return Bodies.create(y: y, "\"feedback\":\"\(feedback)\",\"options\":{\(options)}")
        }
    }

    private static func pan(_ state: String, velocity: Double? = nil) -> String {
        let velocity = velocity.map { ",\"velocity\":{\"x\":0,\"y\":\($0)}" } ?? ""
        return "{\"type\":\"panGesture\",\"state\":\"\(state)\"\(velocity)}"
    }

    private static func offsets(_ ys: Double...) -> [String] { ys.map { Bodies.offset($0) } }

    private static func size(_ height: Double) -> String {
        "{\"type\":\"contentSize\",\"contentSize\":{\"width\":375,\"height\":\(height)}}"
    }

    private static let expandAndCollapse = [
        #"{"type":"expand","on":true}"#, #"{"type":"expand","on":false}"#,
    ]

    private static let viewWithInset =
        Bodies.scrollable("b").dropLast()
        + #","contentInset":{"top":0,"left":0,"bottom":83,"right":0}}"#

    static let rows: [Row] = [
        // The content moves by 40, and the bar with it, from 200 to 160.
        Row(
            option: #""snap":"none""#,
            events: offsets(500, 540) + [pan("ended")],
            pointer: "/state/height",
            with: 160,
            without: 200
        ),
        Row(
            option: #""snap":"projected""#,
            events: offsets(500, 540) + [pan("ended", velocity: 60)],
            pointer: "/state/height",
            with: 100,
            without: 200
        ),
        Row(
            option: #""decelerationRate":"fast""#,
            events: offsets(500, 540) + [pan("ended", velocity: 60)],
            pointer: "/state/height",
            with: 200,
            without: 100,
            base: [#""snap":"projected""#]
        ),
        Row(
            option: #""decelerationRate":0.99"#,
            events: offsets(500, 540) + [pan("ended", velocity: 60)],
            pointer: "/state/height",
            with: 200,
            without: 100,
            base: [#""snap":"projected""#]
        ),
        Row(
            option: #""snapSequential":true"#,
            events: offsets(-200) + [pan("began")] + offsets(-280) + [pan("ended", velocity: 5000)],
            pointer: "/state/height",
            with: 200,
            without: 100,
            y: -200,
            base: [#""snap":"projected""#]
        ),
        Row(
            option: #""snapOnCancel":true"#,
            events: offsets(500, 540) + [pan("cancelled")],
            pointer: "/state/height",
            with: 200,
            without: 160
        ),
        // The content ends at 4800 - 667 = 4133.
        Row(
            option: #""clampTargets":true"#,
            events: offsets(4069, 4129) + [pan("ended")],
            pointer: "/commands/0/y",
            with: 4133,
            without: 4169,
            y: 4069,
            feedback: "echoed"
        ),
        Row(
            option: #""reopen":"top""#,
            events: offsets(500, 800, 740),
            pointer: "/state/height",
            with: 100,
            without: 160
        ),
        Row(
            option: #""tolerance":12.5"#,
            events: offsets(500, 800, 790, 780),
            pointer: "/state/height",
            with: 107.5,
            without: 120
        ),
        // 200 * (1 - 1 / (100 * 0.55 / 200 + 1)) = 43.137...
        Row(
            option: #""resistance":{"dimension":200}"#,
            events: offsets(-200, -300),
            pointer: "/state/height",
            with: 200 + 200 * (1 - 1 / 1.275),
            without: 200,
            y: -200
        ),
        Row(
            option: #""fixes":["primeOnAttach"]"#,
            events: offsets(530),
            pointer: "/state/height",
            with: 170,
            without: 200
        ),
        Row(
            option: #""fixes":["overscroll"]"#,
            events: offsets(-200) + expandAndCollapse + offsets(-230, -240, -230, -210, -200),
            pointer: "/state/height",
            with: 200,
            without: 300,
            y: -200
        ),
        // If the bar may expand, the next configuration of the view has the expanded height as its top inset.
        Row(
            option: #""fixes":["clearExpandedOnCollapse"]"#,
            events: expandAndCollapse + [size(2000)],
            pointer: "/scrollable/contentInset/top",
            with: 200,
            without: 300,
            y: -200
        ),
        Row(
            option: #""fixes":["contentSizeRatchet"]"#,
            events: offsets(-200, -50) + [size(2500)],
            pointer: "/state/height",
            with: 100,
            without: 150,
            y: -200
        ),
        Row(
            option: #""fixes":["baseInset"]"#,
            events: ["{\"type\":\"set\",\"scrollable\":\(viewWithInset)}"],
            pointer: "/scrollable/contentInset/bottom",
            with: 83,
            without: 0
        ),
    ]

    @Test("an option has its effect, and without it the bar is AirBar's", arguments: rows)
    func option(_ row: Row) throws {
        let api = try BarAPI()
        for (options, expected) in [(row.base, row.without), (row.base + [row.option], row.with)] {
            let path = try api.bar(row.creation(options))
            let answer = api.post(path + "/events", Bodies.batch(row.events))
            let found = try #require(answer.number(row.pointer), "\(answer.text)")
            #expect(abs(found - expected) < 1e-9, "\(options)")
        }
    }
}
