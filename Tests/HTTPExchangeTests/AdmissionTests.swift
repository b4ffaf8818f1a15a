import HTTPExchange
import HTTPTypes
import Testing

/// The rules of a route are checked before its handler is called.
@Suite
struct AdmissionTests {
    private static let application = Result {
        try Application([
            .get("/plain", saying("plain")),
            .get("/read", query: .read) { request, _ in
                let query = try Query(request.target, allowing: ["limit"])
                return .now(.text("limit \(try query.integer("limit", in: 1...100) ?? 10)"))
            },
            .get("/page", query: .ignored, produces: [.html], saying("page")),
            .get("/both", produces: [.json, .css]) { request, _ in
                .now(.text(try request.preferred(of: [.json, .css]).essence))
            },
            .get("/any", produces: [], saying("nothing")),
            .get("/picture", produces: [.anyImage], saying("picture")),
            .post("/json", saying("read")),
        ])
    }

    private func response(to request: Request) async throws -> Response {
        try await Self.application.get().response(to: request)
    }

    @Test(
        "a query is refused if the route has no parameters",
        arguments: [
            ("/plain", 200), ("/plain?", 200), ("/plain?&&", 200), ("/plain?limit=1", 400), ("/plain?x", 400),
            ("/read?limit=5", 200), ("/read?limits=5", 400), ("/page?utm_source=x&%zz", 200),
        ]
    )
    func query(target: String, status: Int) async throws {
        #expect(try await response(to: request(.get, target)).status.code == status)
    }

    @Test(
        "the handler gets the best accepted type; none is 406, and a route with one type ignores Accept",
        arguments: [
            ("/both", nil, "application/json"), ("/both", "application/json;q=0.5, text/*", "text/css"),
            ("/both", "text/html", nil), ("/both", "application/problem+json", nil), ("/plain", "text/html", "plain"),
            ("/plain", "application/problem+json", "plain"), ("/plain", "application/json;q=0", "plain"),
            ("/plain", "text/html,application/xhtml+xml,*/*;q=0.8", "plain"), ("/any", "audio/ogg", "nothing"),
            ("/picture", "image/webp", "picture"), ("/picture", "image/avif,image/webp,image/*,*/*;q=0.8", "picture"),
            ("/picture", "text/html", "picture"),
        ] as [(String, String?, String?)]
    )
    func accept(target: String, accept: String?, text: String?) async throws {
        var asked = request(.get, target)
        asked.fields[.accept] = accept
        let response = try await response(to: asked)
        if let text {
            #expect(response.text == text)
        } else {
            #expect(response.status == .notAcceptable)
            #expect(response.problemCode == "unacceptable")
        }
        #expect(response.fields[.vary] == (target == "/both" ? "Accept" : nil))
    }

    @Test("two fields of Accept are one list")
    func acceptLines() async throws {
        var asked = request(.get, "/both")
        asked.fields.append(.accept, "*/*")
        asked.fields.append(.accept, "application/json;q=0")
        #expect(try await response(to: asked).text == "text/css")
    }

    @Test(
        "content of another type than JSON is 415",
        arguments: [
            ("application/json", 200), ("application/json; charset=utf-8", 200),
            ("Application/JSON;charset=\"UTF-8\"", 200),
            ("application/json; x=y", 200), ("application/json;charset=ISO-8859-1", 200),
            ("application/json; charset=utf8", 200), ("text/json", 415),
            ("application/problem+json", 415), ("text/plain", 415), ("application/x-www-form-urlencoded", 415),
            ("", 415), ("json", 415), ("application/json, text/plain", 415), (nil, 415),
        ] as [(String?, Int)]
    )
    func contentType(type: String?, status: Int) async throws {
        var asked = request(.post, "/json", content: "{}")
        asked.fields[.contentType] = type
        let response = try await response(to: asked)
        #expect(response.status.code == status)
        #expect(response.problemCode == (status == 415 ? "unsupported-media-type" : nil))
    }

    @Test(
        "content with a coding is 415, and the response says so",
        arguments: [("gzip", false), ("br", false), ("gzip, identity", false), ("identity", true), ("Identity", true)]
    )
    func contentCoding(coding: String, isAllowed: Bool) async throws {
        let fields: Fields = [.contentType: "application/json", .contentEncoding: coding]
        let response = try await response(to: request(.post, "/json", fields, content: "{}"))
        #expect(response.status == (isAllowed ? .ok : .unsupportedMediaType))
        #expect(response.problemCode == (isAllowed ? nil : "unsupported-media-type"))
        #expect(response.fields[.acceptEncoding] == (isAllowed ? nil : "identity"))
        var second: Fields = [.contentType: "application/json", .contentEncoding: "identity"]
        second.append(.contentEncoding, coding)
        #expect(try await self.response(to: request(.post, "/json", second, content: "{}")).status == response.status)
    }

    @Test("two Content-Type fields count as none")
    func twoContentTypes() async throws {
        var asked = request(.post, "/json", content: "{}")
        asked.fields.append(.contentType, "application/json")
        asked.fields.append(.contentType, "application/json")
        #expect(try await response(to: asked).status == .unsupportedMediaType)
    }

    @Test("a type is required only with content")
    func noContent() async throws {
        #expect(try await response(to: request(.post, "/json")).status == .ok)
    }
}
