import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct ConditionalRequestsTests {
    private let application: Application

    init() throws {
        let fields: Fields = [
            .eTag: "\"v1\"", .cacheControl: "max-age=60", .contentType: "text/plain", .contentLanguage: "en",
            .vary: "Accept",
        ]
        func ok(_ fields: Fields, status: HTTPResponse.Status = .ok) -> Handler {
            { _, _ in .now(Response(status: status, fields: fields, content: .bytes(Array("0123456789".utf8)))) }
        }
        var ranged = fields
        ranged[.acceptRanges] = "bytes"
        var weak = ranged
        weak[.eTag] = "W/\"v1\""
        application = try Application(
            [
                .get("/tagged", ok(fields)), .get("/ranged", ok(ranged)), .get("/weak", ok(weak)),
                .get("/bare", ok([:])),
                .post("/tagged", ok(fields)), .get("/created", ok(fields, status: .created)),
                .get("/later") { _, _ in .later { Response(fields: fields, content: .bytes([1])) } },
                .get("/stream") { _, _ in
                    var response = EventStream(onClose: { Issue.record("the stream was not read") }).response
                    response.fields[.eTag] = "\"v1\""
                    return .now(response)
                },
            ],
            [ConditionalRequests()]
        )
    }

    @Test(
        "If-None-Match with the tag, weak or strong, is 304 (RFC 9110, section 13.1.2)",
        arguments: [
            (HTTPRequest.Method.get, "/tagged", "\"v1\"", 304), (.head, "/tagged", "\"v1\"", 304),
            (.get, "/tagged", "W/\"v1\"", 304), (.get, "/tagged", "*", 304), (.get, "/tagged", "\"v0\", \"v1\"", 304),
            (.get, "/tagged", "\"v0\",W/\"v1\",", 304), (.get, "/tagged", "\"v0\"", 200), (.get, "/tagged", "v1", 200),
            (.get, "/tagged", "\"v1", 200), (.get, "/tagged", "", 200), (.get, "/tagged", "\"v1\" \"v0\"", 200),
            (.get, "/tagged", "*, \"v1\"", 200), (.get, "/tagged", "w/\"v1\"", 200), (.get, "/tagged", "\"V1\"", 200),
            (.get, "/weak", "\"v1\"", 304), (.get, "/weak", "W/\"v1\"", 304), (.get, "/bare", "*", 200),
            (.post, "/tagged", "\"v1\"", 200), (.get, "/created", "\"v1\"", 201), (.get, "/later", "\"v1\"", 304),
            (.get, "/stream", "\"v1\"", 200),
        ]
    )
    func ifNoneMatch(method: HTTPRequest.Method, target: String, value: String, status: Int) async throws {
        let response = try await application.response(to: request(method, target, [.ifNoneMatch: value]))
        #expect(response.status.code == status)
    }

    @Test("several If-None-Match fields are one list")
    func severalFields() async throws {
        var asked = request(.get, "/tagged", [.ifNoneMatch: "\"v0\""])
        asked.fields.append(.ifNoneMatch, "\"v1\"")
        #expect(try await application.response(to: asked).status == .notModified)
    }

    @Test("a 304 keeps the fields for caches and the content for its length, and removes the fields that describe it")
    func notModified() async throws {
        let response = try await application.response(to: request(.get, "/tagged", [.ifNoneMatch: "*"]))
        #expect(response.fields == [.eTag: "\"v1\"", .cacheControl: "max-age=60", .vary: "Accept"])
        #expect(response.content.length == 10)
    }

    @Test(
        "If-Match without the strong tag is 412, before other conditions",
        arguments: [
            ("/tagged", "\"v1\"", 200), ("/tagged", "*", 200), ("/tagged", "\"v0\", \"v1\"", 200),
            ("/tagged", "\"v0\"", 412), ("/tagged", "W/\"v1\"", 412), ("/tagged", "v1", 412),
            ("/weak", "W/\"v1\"", 412),
            ("/weak", "*", 200), ("/bare", "\"v0\"", 200),
        ]
    )
    func ifMatch(target: String, value: String, status: Int) async throws {
        let response = try await application.response(to: request(.get, target, [.ifMatch: value]))
        #expect(response.status.code == status)
        #expect(response.problemCode == (status == 412 ? "precondition-failed" : nil))
        if status == 412 { #expect(response.fields[.eTag] == (target == "/weak" ? "W/\"v1\"" : "\"v1\"")) }
        var both = request(.get, target, [.ifMatch: value, .ifNoneMatch: "*"])
        both.fields[.range] = "bytes=0-1"
        let second = try await application.response(to: both).status.code
        #expect(second == (target == "/bare" ? 200 : status == 412 ? 412 : 304))
    }

    @Test(
        "a range is evaluated if the handler allows it, and after the conditions",
        arguments: [
            ("/ranged", [.range: "bytes=2-4"], 206, "234"),
            ("/ranged", [.range: "bytes=2-4", .ifNoneMatch: "\"v0\""], 206, "234"),
            ("/ranged", [.range: "bytes=2-4", .ifNoneMatch: "\"v1\""], 304, "0123456789"),
            ("/ranged", [.range: "bytes=10-"], 416, nil),
            ("/tagged", [.range: "bytes=2-4"], 200, "0123456789"),
            ("/weak", [.range: "bytes=2-4"], 200, "0123456789"),
        ] as [(String, Fields, Int, String?)]
    )
    func range(target: String, fields: Fields, status: Int, text: String?) async throws {
        let response = try await application.response(to: request(.get, target, fields))
        #expect(response.status.code == status)
        #expect(response.problemCode == (status == 416 ? "range-not-satisfiable" : nil))
        if let text { #expect(response.text == text) }
    }
}
