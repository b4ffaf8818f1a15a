import BarFeature
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Requests about bars that are refused", .everywhere)
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
        // Numbers and marks of events.
        Row(#"{"type":"expand","on":true,"sequence":0}"#, 422, "invalid-content", "/sequence"),
        Row(#"{"type":"expand","on":true,"sequence":1.5}"#, 422, "invalid-content", "/sequence"),
        Row(#"{"type":"expand","on":true,"timestamp":"now"}"#, 422, "invalid-content", "/timestamp"),
        Row(#"{"type":"expand","on":true,"sequence":2}"#, 409, "sequence-gap", "/sequence"),
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
        Row(Bodies.batch(Array(repeating: Bodies.offset(1), count: 501)), 422, "invalid-content", "/events"),
        Row(
            Bodies.batch([Bodies.offset(1, sequence: 1), Bodies.offset(1)]),
            422,
            "invalid-content",
            "/events/1/sequence"
        ),
    ]

    /// Checks the problem of a refused request.
    private func check(_ answer: Response, _ row: Row) {
        #expect(answer.status.code == row.status, "\(answer.text)")
        #expect(answer.code == row.code)
        if let pointer = row.pointer { #expect(answer.pointer == pointer) }
        #expect(answer.fields[.contentType] == "application/problem+json")
    }

    @Test("a refused event has no effect", arguments: events + Refusals.events)
    func event(_ row: Row) throws {
        let api = try Service()
        let path = try api.bar()
        let before = api.get(path).text
        check(api.post(path + "/events", row.body), row)
        #expect(api.get(path).text == before)
        #expect(api.get(path).fields[.eTag] == "\"0\"")
    }

    @Test("a refused creation creates no bar", arguments: [Row("", 400, "malformed-json")] + Refusals.creations)
    func creation(_ row: Row) throws {
        let api = try Service()
        // A dry run is a creation with events, and has the same refusals.
        let events = #""events":[{"type":"expand","on":true}]}"#
        let dry = row.body.hasSuffix("}") ? row.body.dropLast() + (row.body == "{}" ? "" : ",") + events : row.body[...]
        check(api.post("/v1/bars", row.body), row)
        check(api.post("/v1/bars/apply", String(dry)), row)
        #expect(api.sessionCount == 0)
    }

    @Test("refused tracks change nothing", arguments: Refusals.tracks)
    func tracks(_ row: Row) throws {
        let api = try Service()
        let path = try api.bar()
        check(api.put(path + "/tracks", row.body, [.ifMatch: "*"]), row)
        #expect(api.get(path).fields[.eTag] == "\"0\"")
    }

    @Test("a dry run has a list of events, as a batch has", arguments: ["", "[]", "[{}]"])
    func dryRun(list: String) throws {
        let body = Bodies.create(list.isEmpty ? "" : "\"events\":\(list)")
        let answer = try Service().post("/v1/bars/apply", body)
        #expect(answer.status == 422)
        #expect(answer.code == "invalid-content")
        #expect(answer.pointer == (list == "[{}]" ? "/events/0/type" : "/events"))
    }

    @Test(
        "an invalid query is refused",
        arguments: [
            ("/events?after=-1", 422), ("/events?limit=0", 422), ("/events?limit=513", 422), ("/events?after=x", 400),
            ("/events?from=1", 400), ("/states", 400), ("/states?at=-1", 422), ("/states?at=1", 422),
            ("/states?at=0&at=0", 400), ("/stream?commands=yes", 422), ("?tracks=", 400), ("?tracks=a,,b", 400),
            ("?tracks=" + Array(repeating: "a", count: 129).joined(separator: ","), 422),
            ("/states?at=99999999999999999999", 422),
        ]
    )
    func query(_ row: (suffix: String, status: Int)) throws {
        let api = try Service()
        let target = try api.bar() + row.suffix
        #expect(api.get(target).status.code == row.status)
        #expect(api.head(target).status.code == row.status)
    }
}
