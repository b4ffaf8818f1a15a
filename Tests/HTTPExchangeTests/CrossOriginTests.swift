import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct CrossOriginTests {
    private static let routes: [Route] = [
        .get("/v1/bars/{id}", saying("bar")),
        .delete("/v1/bars/{id}", saying("end")),
        .get("/both", produces: [.json, .css], saying("both")),
    ]
    private static let list = ["https://app.example", "http://localhost:3000"]

    private func response(_ origins: [String], to asked: Request) async throws -> Response {
        let tokens = BearerTokens(tokens: ["t"], prefixes: ["/v1/"])
        return try await Application(Self.routes, [CrossOrigin(origins: origins), tokens]).response(to: asked)
    }

    @Test(
        "the response names an allowed origin and no other",
        arguments: [
            (list, "https://app.example", "https://app.example"),
            (list, "http://localhost:3000", "http://localhost:3000"),
            (list, "http://localhost", nil), (list, "https://app.example.evil", nil), (list, "null", nil),
            (list, "HTTPS://APP.EXAMPLE", nil), (list, nil, nil),
            (["*"], "https://other.example", "*"), (["*", "http://localhost:3000"], nil, nil),
        ] as [([String], String?, String?)]
    )
    func origin(origins: [String], origin: String?, expected: String?) async throws {
        var asked = request(.get, "/v1/bars/a", [.authorization: "Bearer t"])
        asked.fields[.origin] = origin
        let response = try await response(origins, to: asked)
        #expect(response.text == "bar")
        #expect(response.fields[.accessControlAllowOrigin] == expected)
        #expect((response.fields[.accessControlExposeHeaders] != nil) == (expected != nil))
        #expect(response.fields[.vary] == (origins.contains("*") ? nil : "Origin"))
    }

    @Test("the fields of the contract are exposed, on errors too")
    func exposed() async throws {
        let response = try await response(Self.list, to: request(.get, "/v1/bars/a", [.origin: "https://app.example"]))
        #expect(response.status == .unauthorized)
        #expect(
            response.fields[.accessControlExposeHeaders]
                == "ETag, Location, Link, Retry-After, Cache-Status, X-Request-Id, X-Total, X-Per-Page, "
                + "X-Ratelimit-Limit, X-Ratelimit-Remaining"
        )
    }

    @Test("a preflight needs no token and gets the methods of the path")
    func preflight() async throws {
        let asked = request(
            .options,
            "/v1/bars/a",
            [.origin: "https://app.example", .accessControlRequestMethod: "DELETE"]
        )
        let response = try await response(Self.list, to: asked)
        #expect(response.status == .noContent)
        #expect(response.fields[.accessControlAllowOrigin] == "https://app.example")
        #expect(response.fields[.accessControlAllowMethods] == "GET, HEAD, DELETE, OPTIONS")
        #expect(response.fields[.allow] == "GET, HEAD, DELETE, OPTIONS")
        #expect(
            response.fields[.accessControlAllowHeaders]
                == "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range, Idempotency-Key, Last-Event-ID, "
                + "X-Request-Id, traceparent, tracestate, Accept-Version, Cache-Control, sentry-trace, baggage, "
                + "X-Requested-With"
        )
        #expect(response.fields[.accessControlMaxAge] == "86400")
    }

    @Test(
        "other requests than preflights of an allowed origin are an ordinary OPTIONS",
        arguments: [
            ([.origin: "https://evil.example", .accessControlRequestMethod: "GET"], "/v1/bars/a", 204),
            ([.origin: "https://app.example"], "/v1/bars/a", 204),
            ([.accessControlRequestMethod: "GET"], "/v1/bars/a", 204),
            ([.origin: "https://app.example", .accessControlRequestMethod: "GET"], "/nothing", 404),
        ] as [(Fields, String, Int)]
    )
    func noPreflight(fields: Fields, target: String, status: Int) async throws {
        let response = try await response(Self.list, to: request(.options, target, fields))
        #expect(response.status.code == status)
        #expect(response.fields[.accessControlAllowMethods] == nil)
    }

    @Test("Vary keeps its other fields")
    func vary() async throws {
        let asked = request(.get, "/both", [.origin: "https://app.example", .authorization: "Bearer t"])
        #expect(try await response(Self.list, to: asked).fields[.vary] == "Accept, Origin")
        var response = Response(fields: [.vary: "origin , Accept"])
        response.vary(by: .origin)
        #expect(response.fields[.vary] == "origin , Accept")
        response.fields[.vary] = "*"
        response.vary(by: .origin)
        #expect(response.fields[.vary] == "*")
    }
}
