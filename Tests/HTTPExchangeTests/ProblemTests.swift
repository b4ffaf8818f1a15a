import HTTPExchange
import HTTPTypes
import JSON
import Testing

@Suite
struct ProblemTests {
    @Test("a problem has its members in a fixed order (RFC 9457, section 3)")
    func members() {
        let problem = Problem(
            .init("sequence-gap", .conflict, "A sequence number is missing.", explanation: ""),
            "5 follows 3.",
            errors: [
                .init(.pointer("/events/0/sequence"), "has to be 4"), .init(.parameter("limit"), "is \"odd\""),
                .init(.field("If-Match"), "is old"),
            ],
            members: ["expectedSequence": 4],
            fields: [.retryAfter: "3"]
        )
        let response = problem.response(instance: "id-1")
        let expected =
            #"{"type":"/problems/sequence-gap","title":"A sequence number is missing.","status":409,"#
            + #""detail":"5 follows 3.","instance":"id-1","errors":["#
            + #"{"pointer":"/events/0/sequence","detail":"has to be 4"},"#
            + #"{"parameter":"limit","detail":"is \"odd\""},{"field":"If-Match","detail":"is old"}],"#
            + #""expectedSequence":4}"#
        #expect(response.text == expected)
        #expect(response.status == .conflict)
        #expect(response.fields[.contentType] == "application/problem+json")
        #expect(response.fields[.cacheControl] == "no-store")
        #expect(response.fields[.retryAfter] == "3")
    }

    @Test("a problem without faults has no list of faults")
    func noFaults() {
        let expected =
            #"{"type":"/problems/internal-error","title":"An unexpected error occurred.","status":500,"#
            + #""detail":"The log has details under the request id in `instance`.","instance":"x"}"#
        #expect(Problem.internalError.response(instance: "x").text == expected)
    }

    @Test(
        "every refusal has its status",
        arguments: [
            (Refusal.lengthAndTransferEncoding, 400, "malformed-request"), (.repeatedLength, 400, "malformed-request"),
            (.unknownTransferCoding, 400, "malformed-request"), (.controlInTarget, 400, "malformed-request"),
            (.malformedTarget, 400, "malformed-request"), (.overloaded, 503, "overloaded"),
            (.reserved, 503, "overloaded"), (.controlInField("X-A"), 400, "malformed-request"),
            (.malformedFieldName, 400, "malformed-request"), (.missingHost, 400, "malformed-request"),
            (.repeatedHost, 400, "malformed-request"), (.malformedHost, 400, "malformed-request"),
            (.contentTooLarge(limit: 7), 413, "content-too-large"), (.deadlineExceeded, 503, "deadline-exceeded"),
            (.targetTooLong(limit: 8192), 414, "target-too-long"),
            (.headTooLarge(limit: 8192, fields: 100), 431, "head-too-large"),
            (.responseHeadTooLarge, 431, "head-too-large"),
            (.draining, 503, "draining"),
        ]
    )
    func refusals(refusal: Refusal, status: Int, code: String) {
        let problem = Problem(refusal: refusal)
        #expect(problem.status.code == status)
        #expect(problem.code == code)
        #expect((problem.fields[.retryAfter] != nil) == (status == 503))
    }

    @Test("a refusal of large content contains the limit")
    func limit() {
        let text = Problem(refusal: .contentTooLarge(limit: 7)).response(instance: "x").text
        #expect(text?.hasSuffix(#""limit":7}"#) == true)
    }

    @Test("a response lists ten faults, counts the others, and repeats no long text of the request")
    func bounds() {
        let long = String(repeating: "ä", count: 100_000)
        let faults = [
            Problem.Fault(.pointer("/" + long), long), .init(.parameter(long), "b"), .init(.field(long), "c"),
        ]
        for count in [10, 11, 500] {
            let many = (0..<count).map { faults[$0 % 3] }
            let text = Problem(.invalidContent, long, errors: many).response(instance: "x").text ?? ""
            #expect(text.utf8.count < 20_000)
            #expect(text.split(separator: "{").count - 1 == 10)
            let more = count == 11 ? "… 1 more fault is not listed." : "… 490 more faults are not listed."
            #expect(text.contains("not listed") == (count > 10))
            #expect(text.contains(more) == (count > 10))
        }
        let json = Problem(json: JSONError(pointer: "/" + long, detail: "is unknown", isMalformed: false))
        let text = json.response(instance: "x").text ?? ""
        #expect(text.utf8.count < 2000)
        #expect(text.contains("…: is unknown"))
    }

    @Test("joined problems count the faults of all")
    func joinedBounds() {
        var one = Problem(.invalidQuery, "One.", errors: Array(repeating: .init(.parameter("a"), "b"), count: 10))
        one.moreFaults = 5
        let joined = Problem(joining: [one, one])
        #expect(joined?.response(instance: "x").text?.contains("One. One. 20 more faults are not listed.") == true)
    }

    @Test("a JSON error is 400 or 422, with its pointer")
    func json() {
        let malformed = Problem(json: JSONError(pointer: "", detail: "ends too early", isMalformed: true))
        #expect(malformed.code == "malformed-json")
        #expect(malformed.status == .badRequest)
        let invalid = Problem(json: JSONError(pointer: "/a/0", detail: "must be a number", isMalformed: false))
        #expect(invalid.code == "invalid-content")
        #expect(invalid.status == .unprocessableContent)
        #expect(invalid.errors == [.init(.pointer("/a/0"), "must be a number")])
        #expect(invalid.detail == "/a/0: must be a number")
    }

    @Test("a client's text is quoted in part")
    func excerpt() {
        let problem = Problem.notFound(Target("/" + String(repeating: "a", count: 5000)))
        #expect(problem.detail.count < 140)
    }
}
