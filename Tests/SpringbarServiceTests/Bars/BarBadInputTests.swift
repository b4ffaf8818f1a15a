import HTTPExchange
import HTTPTypes
import JSON
import SpringbarService
import TestSupport
import Testing

@Suite("Requests about bars that are refused", .onEveryStore)
struct BarBadInputTests {
    /// A content, with the status and the JSON Pointer of its answer.
    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        let status: Int
        let code: String
        let pointer: String?

        init(_ body: String, _ status: Int, _ code: String, _ pointer: String? = nil) {
            self.body = body
            self.status = status
            self.code = code
            self.pointer = pointer
        }

        var testDescription: String { String(body.prefix(100)) }
    }

    static let events: [Row] = [
        // Not accepted as JSON.
        Row("{", 400, "malformed-json"),
        Row("{} {}", 400, "malformed-json"),
        Row("\u{FEFF}{}", 400, "malformed-json"),
        Row(#"{"type":"expand","on":true,"on":false}"#, 400, "malformed-json"),
        Row(#"{"type":"contentOffset","contentOffset":{"x":0,"y":1e999}}"#, 400, "malformed-json"),
        Row(#"{"type":"contentOffset","contentOffset":{"x":0,"y":NaN}}"#, 400, "malformed-json"),
        Row(String(repeating: "[", count: 65) + String(repeating: "]", count: 65), 400, "malformed-json"),
        // Wrong shapes.
        Row("[]", 422, "invalid-content", ""),
        Row("{}", 422, "invalid-content", "/type"),
        Row(#"{"type":"scroll"}"#, 422, "invalid-content", "/type"),
        Row(#"{"type":3}"#, 422, "invalid-content", "/type"),
        Row(#"{"type":"contentOffset"}"#, 422, "invalid-content", "/contentOffset"),
        Row(#"{"type":"contentOffset","contentOffset":{"x":0}}"#, 422, "invalid-content", "/contentOffset/y"),
        Row(#"{"type":"contentOffset","contentOffset":{"x":0,"y":"NaN"}}"#, 422, "invalid-content", "/contentOffset/y"),
        Row(#"{"type":"contentOffset","contentOffset":{"x":0,"y":null}}"#, 422, "invalid-content", "/contentOffset/y"),
        Row(
            #"{"type":"contentOffset","contentOffset":{"x":0,"y":0,"z":0}}"#,
            422,
            "invalid-content",
            "/contentOffset/z"
        ),
        Row(#"{"type":"contentOffset","contentOffset":{"x":0,"y":0},"on":true}"#, 422, "invalid-content", "/on"),
        Row(#"{"type":"contentOffset","contentoffset":{"x":0,"y":0}}"#, 422, "invalid-content", "/contentoffset"),
        Row(#"{"type":"panGesture","state":"moved"}"#, 422, "invalid-content", "/state"),
        Row(#"{"type":"panGesture","state":"ended","velocity":5}"#, 422, "invalid-content", "/velocity"),
        Row(#"{"type":"expand","on":1}"#, 422, "invalid-content", "/on"),
        Row(#"{"type":"expand","on":true,"source":"robot"}"#, 422, "invalid-content", "/source"),
        Row(#"{"type":"expand","on":true,"sequence":0}"#, 422, "invalid-content", "/sequence"),
        Row(#"{"type":"expand","on":true,"sequence":1.5}"#, 422, "invalid-content", "/sequence"),
        Row(#"{"type":"expand","on":true,"timestamp":"now"}"#, 422, "invalid-content", "/timestamp"),
        Row(#"{"type":"set","scrollable":{"id":"b"}}"#, 422, "invalid-content", "/scrollable/contentOffset"),
        Row(
            #"{"type":"set","scrollable":\#(Bodies.scrollable(""))}"#,
            422,
            "invalid-content",
            "/scrollable/id"
        ),
        Row(
            #"{"type":"contentSize","contentSize":{"width":1,"height":-1}}"#,
            422,
            "invalid-content",
            "/contentSize/height"
        ),
        Row(#"{"type":"frame","frame":{"x":0,"y":0,"width":-1,"height":1}}"#, 422, "invalid-content", "/frame/width"),
        // Events of another view, and numbers out of sequence.
        Row(#"{"type":"expand","on":true,"scrollableId":"other"}"#, 409, "scrollable-mismatch", "/scrollableId"),
        Row(#"{"type":"expand","on":true,"sequence":2}"#, 409, "sequence-gap", "/sequence"),
        // Numbers out of range.
        Row(#"{"type":"contentOffset","contentOffset":{"x":0,"y":1e10}}"#, 422, "out-of-range", "/contentOffset/y"),
        Row(#"{"type":"contentOffset","contentOffset":{"x":-1e300,"y":0}}"#, 422, "out-of-range", "/contentOffset/x"),
        Row(
            #"{"type":"contentInset","contentInset":{"top":2e9,"left":0,"bottom":0,"right":0}}"#,
            422,
            "out-of-range",
            "/contentInset/top"
        ),
        Row(#"{"type":"expand","on":true,"sequence":2000000000}"#, 422, "out-of-range", "/sequence"),
        Row(#"{"type":"expand","on":true,"timestamp":1e12}"#, 422, "out-of-range", "/timestamp"),
        // Batches.
        Row(#"{"events":[]}"#, 422, "invalid-content", "/events"),
        Row(#"{"events":{}}"#, 422, "invalid-content", "/events"),
        Row(#"{"events":[{"type":"expand","on":true}],"seq":1}"#, 422, "invalid-content", "/seq"),
        Row(#"{"events":[{"type":"expand","on":true},7]}"#, 422, "invalid-content", "/events/1"),
        Row(
            #"{"events":[{"type":"expand","on":true},{"type":"contentOffset","contentOffset":{"x":0,"y":2e9}}]}"#,
            422,
            "out-of-range",
            "/events/1/contentOffset/y"
        ),
        Row(
            Bodies.batch(Array(repeating: Bodies.offset(1), count: 501)),
            422,
            "invalid-content",
            "/events"
        ),
    ]

    @Test("a refused event has no effect", arguments: events)
    func event(_ row: Row) throws {
        let api = try BarAPI()
        let path = try api.bar()
        let before = api.get(path).text
        let answer = api.post(path + "/events", row.body)
        #expect(answer.status == row.status, "\(answer.text)")
        #expect(answer.code == row.code)
        if let pointer = row.pointer { #expect(answer.pointer == pointer) }
        #expect(answer.fields[.contentType] == "application/problem+json")
        #expect(api.get(path).text == before)
        #expect(api.get(path).fields[.eTag] == "\"0\"")
    }

    @Test("500 events are accepted")
    func fiveHundred() throws {
        let api = try BarAPI()
        let path = try api.bar()
        let events = (0..<500).map { Bodies.offset(Double($0)) }
        #expect(api.post(path + "/events", Bodies.batch(events)).number("/revision") == 500)
    }

    static let creations: [Row] = {
        func heights(_ compact: String, _ normal: String, _ expanded: String) -> String {
            """
            {"configuration":{"compactStateHeight":\(compact),"normalStateHeight":\(normal),\
            "expandedStateHeight":\(expanded)},"scrollable":\(Bodies.scrollable())}
            """
        }
        func options(_ text: String) -> String { Bodies.create("\"options\":{\(text)}") }
        func tracks(_ text: String) -> String { Bodies.create("\"tracks\":{\(text)}") }
        return [
            Row("", 400, "malformed-json"),
            Row("{}", 422, "invalid-content", "/configuration"),
            Row("{\(Bodies.configuration)}", 422, "invalid-content", "/scrollable"),
            Row(Bodies.create(#""colour":"red""#), 422, "invalid-content", "/colour"),
            Row(heights("100", "90", "300"), 422, "heights-not-ascending", "/configuration"),
            Row(heights("100", "200", "150"), 422, "heights-not-ascending", "/configuration"),
            Row(heights("-1", "200", "300"), 422, "heights-not-ascending", "/configuration/compactStateHeight"),
            Row(heights("0", "-5e-324", "300"), 422, "heights-not-ascending", "/configuration/normalStateHeight"),
            Row(heights("0", "0", "1e10"), 422, "out-of-range", "/configuration/expandedStateHeight"),
            Row(heights("0", "0", "1e999"), 400, "malformed-json"),
            Row(heights("0", "0", "\"1\""), 422, "invalid-content", "/configuration/expandedStateHeight"),
            Row(Bodies.create(#""feedback":"both""#), 422, "invalid-content", "/feedback"),
            Row(Bodies.create(#""ttlSeconds":9"#), 422, "invalid-content", "/ttlSeconds"),
            Row(Bodies.create(#""ttlSeconds":86401"#), 422, "invalid-content", "/ttlSeconds"),
            Row(Bodies.create(#""ttlSeconds":10.5"#), 422, "invalid-content", "/ttlSeconds"),
            Row(options(#""snap":"far""#), 422, "invalid-content", "/options/snap"),
            Row(options(#""decelerationRate":1"#), 422, "invalid-content", "/options/decelerationRate"),
            Row(options(#""decelerationRate":"slow""#), 422, "invalid-content", "/options/decelerationRate"),
            Row(options(#""fixes":["everything"]"#), 422, "invalid-content", "/options/fixes/0"),
            Row(options(#""resistance":{"dimension":0}"#), 422, "out-of-range", "/options/resistance/dimension"),
            Row(options(#""resistance":{}"#), 422, "invalid-content", "/options/resistance/dimension"),
            Row(options(#""snapping":true"#), 422, "invalid-content", "/options/snapping"),
            Row(tracks(#""a":null"#), 422, "invalid-content", "/tracks/a"),
            Row(tracks(#""a":{}"#), 422, "invalid-content", "/tracks/a/compactNormalRange"),
            Row(tracks(#""a":{"keyframes":[]}"#), 422, "invalid-content", "/tracks/a/keyframes"),
            Row(
                tracks(#""a":{"keyframes":[{"progress":1,"value":0},{"progress":1,"value":1}]}"#),
                422,
                "invalid-content",
                "/tracks/a/keyframes"
            ),
            Row(
                tracks(#""a":{"keyframes":[{"progress":3,"value":0}]}"#),
                422,
                "out-of-range",
                "/tracks/a/keyframes/0/progress"
            ),
            Row(
                tracks(#""a":{"compactNormalRange":{"range":[0]},"normalExpandedRange":{"value":1}}"#),
                422,
                "invalid-content",
                "/tracks/a/compactNormalRange/range"
            ),
            Row(
                tracks(#""a":{"compactNormalRange":{"range":[0,1],"value":1},"normalExpandedRange":{"value":1}}"#),
                422,
                "invalid-content",
                "/tracks/a/compactNormalRange"
            ),
            Row(
                tracks(#""a":{"compactNormalRange":{"value":1e10},"normalExpandedRange":{"value":1}}"#),
                422,
                "out-of-range",
                "/tracks/a/compactNormalRange/value"
            ),
            Row(tracks(#""":{"keyframes":[{"progress":1,"value":0}]}"#), 422, "invalid-content", "/tracks/"),
            Row(
                tracks(
                    (0..<129).map { "\"t\($0)\":{\"keyframes\":[{\"progress\":1,\"value\":0}]}" }
                        .joined(separator: ",")
                ),
                422,
                "invalid-content",
                "/tracks"
            ),
        ]
    }()

    @Test("a refused creation creates no bar", arguments: creations)
    func creation(_ row: Row) throws {
        let api = try BarAPI()
        // A dry run is a creation with events, and has the same refusals.
        let events = #""events":[{"type":"expand","on":true}]}"#
        let dry = row.body.hasSuffix("}") ? row.body.dropLast() + (row.body == "{}" ? "" : ",") + events : row.body[...]
        for (path, body) in [("/v1/bars", row.body[...]), ("/v1/bars/apply", dry)] {
            let answer = api.post(path, String(body))
            #expect(answer.status == row.status, "\(answer.text)")
            #expect(answer.code == row.code)
            if let pointer = row.pointer { #expect(answer.pointer == pointer) }
        }
        #expect(api.sessionCount == 0)
    }

    static let dryRuns: [Row] = {
        func events(_ list: String) -> String { Bodies.create("\"events\":\(list)") }
        return [
            Row(Bodies.create(), 422, "invalid-content", "/events"),
            Row(events("{}"), 422, "invalid-content", "/events"),
            Row(events("[]"), 422, "invalid-content", "/events"),
            Row(
                events("[\(Array(repeating: Bodies.offset(1), count: 501).joined(separator: ","))]"),
                422,
                "invalid-content",
                "/events"
            ),
            Row(events(#"[{"type":"expand","on":true},{"type":"jump"}]"#), 422, "invalid-content", "/events/1/type"),
            Row(events("[\(Bodies.offset(2e9))]"), 422, "out-of-range", "/events/0/contentOffset/y"),
            Row(
                events("[\(Bodies.offset(1, sequence: 1)),\(Bodies.offset(1))]"),
                422,
                "invalid-content",
                "/events/1/sequence"
            ),
            Row(
                events("[\(Bodies.offset(1, #","scrollableId":"other""#))]"),
                409,
                "scrollable-mismatch",
                "/events/0/scrollableId"
            ),
        ]
    }()

    @Test("a dry run has 1 to 500 events, as a batch has", arguments: dryRuns)
    func dryRun(_ row: Row) throws {
        let answer = try BarAPI().post("/v1/bars/apply", row.body)
        #expect(answer.status == row.status, "\(answer.text)")
        #expect(answer.code == row.code)
        if let pointer = row.pointer { #expect(answer.pointer == pointer) }
    }

    @Test(
        "an invalid query is refused",
        arguments: [
            ("/events?after=-1", 422), ("/events?limit=0", 422), ("/events?limit=513", 422), ("/events?after=x", 400),
            ("/events?from=1", 400), ("/states", 400), ("/states?at=-1", 422), ("/states?at=1", 422),
            ("/states?at=0&at=0", 400), ("/stream?commands=yes", 422), ("?tracks=", 400), ("?tracks=a,,b", 400),
        ]
    )
    func query(_ row: (suffix: String, status: Int)) throws {
        let api = try BarAPI()
        #expect(api.get(try api.bar() + row.suffix).status == row.status)
    }

    @Test("content of another type is refused")
    func mediaType() throws {
        let api = try BarAPI()
        let path = try api.bar()
        let answer = api.post(path + "/events", Bodies.offset(1), [(.contentType, "text/plain")])
        #expect(answer.status == 415)
    }
}
