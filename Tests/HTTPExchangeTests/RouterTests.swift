import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct RouterTests {
    private let router: Router

    init() {
        router = Router(routes: [
            .get("/", access: .open, saying("root")),
            .get("/healthz", access: .open, saying("health")),
            .get("/v1/bars/{id}", saying("bar")),
            .delete("/v1/bars/{id}", saying("end")),
            .post("/v1/bars", saying("create")),
            .post("/v1/bars/apply", saying("apply")),
            .get("/v1/bars/{id}/events", saying("log")),
            .post("/v1/bars/{id}/events", saying("events")),
            .get("/v1/photos/{id}/image/{variant}", saying("image")),
            .get("/v1/photos/random/image", saying("random")),
            .get("/v1/photos/{id}/placeholder.png", saying("placeholder")),
            .get("/files/", saying("directory")),
        ])
    }

    /// Returns a match as a line of text.
    private func outcome(_ method: HTTPRequest.Method, _ target: String) -> String {
        switch router.match(method, Target(target)).outcome {
        case .found(let route): "\(route.method) \(route.template)"
        case .options(let allow): "204 \(allow)"
        case .methodNotAllowed(let allow): "405 \(allow)"
        case .notFound: "404"
        case .malformedPath(let parameter): "400 \(parameter)"
        }
    }

    private static let found: [(HTTPRequest.Method, String, String)] = [
        (.get, "/", "GET /"), (.get, "/healthz", "GET /healthz"), (.post, "/v1/bars", "POST /v1/bars"),
        (.get, "/v1/bars/a1", "GET /v1/bars/{id}"), (.delete, "/v1/bars/a1", "DELETE /v1/bars/{id}"),
        (.post, "/v1/bars/a1/events", "POST /v1/bars/{id}/events"),
        (.get, "/v1/photos/x/image/thumb", "GET /v1/photos/{id}/image/{variant}"),
        (.get, "/v1/photos/x/placeholder.png", "GET /v1/photos/{id}/placeholder.png"), (.get, "/files/", "GET /files/"),
        // The query is not part of the path.
        (.get, "/v1/bars/a1?tracks=a/b", "GET /v1/bars/{id}"),
        // Absolute form (RFC 9112, section 3.2.2).
        (.get, "http://host:8080/v1/bars/a1?x", "GET /v1/bars/{id}"),
        // HEAD is served wherever GET is.
        (.head, "/healthz", "GET /healthz"), (.head, "/v1/bars/a1", "GET /v1/bars/{id}"),
        // A literal has precedence over a parameter, which is tried if the literal has no match.
        (.post, "/v1/bars/apply", "POST /v1/bars/apply"),
        // `apply` is an id here, because only the path with a parameter continues.
        (.post, "/v1/bars/apply/events", "POST /v1/bars/{id}/events"),
        (.get, "/v1/photos/random/image", "GET /v1/photos/random/image"),
        (.get, "/v1/photos/random/image/thumb", "GET /v1/photos/{id}/image/{variant}"),
        (.get, "/v1/photos/random/placeholder.png", "GET /v1/photos/{id}/placeholder.png"),
        // An encoded unreserved character in a literal equals the character (RFC 3986, section 6.2.2.2).
        (.get, "/%68ealthz", "GET /healthz"), (.get, "/health%7A", "GET /healthz"),
        (.get, "/health%7a", "GET /healthz"),
        (.get, "/v%31/photos/x/placeholder%2Epng", "GET /v1/photos/{id}/placeholder.png"),
    ]

    /// Methods that a path does not have, and OPTIONS; the parameters are not decoded yet.
    private static let allowed: [(HTTPRequest.Method, String, String)] = [
        (.put, "/v1/bars/a1", "405 GET, HEAD, DELETE, OPTIONS"), (.get, "/v1/bars", "405 POST, OPTIONS"),
        (.head, "/v1/bars", "405 POST, OPTIONS"), (.trace, "/healthz", "405 GET, HEAD, OPTIONS"),
        (.connect, "/healthz", "405 GET, HEAD, OPTIONS"), (.put, "/v1/bars/%ZZ", "405 GET, HEAD, DELETE, OPTIONS"),
        // The literal's path has a route, so its methods apply.
        (.get, "/v1/bars/apply", "405 POST, OPTIONS"),
        (.options, "/healthz", "204 GET, HEAD, OPTIONS"), (.options, "/v1/bars/a1", "204 GET, HEAD, DELETE, OPTIONS"),
        (.options, "/v1/bars/%ZZ", "204 GET, HEAD, DELETE, OPTIONS"),
        (.options, "*", "204 GET, HEAD, POST, DELETE, OPTIONS"), (.options, "/nothing", "404"),
    ]

    /// Slashes, case and empty segments matter.
    private static let unknown = [
        "/nothing", "/v1", "/v1/", "/v1/bars/", "/v1/bars/a1/", "/v1/bars//events", "//", "//v1/bars", "/healthz/",
        "/Healthz", "/V1/bars", "/files", "/files//", "/v1/bars/a1/events/7", "healthz", "*", "host:443",
        "/healthz%2F", "/v1%2Fbars/a1", "/health", "/healthzz", "/h%65alth", "/healthz%", "/healthz%7",
        "/%2e/healthz",
    ]

    @Test(
        "a method and a path have their route, 405 or 204 with Allow, or 404",
        arguments: found + allowed + unknown.map { (.get, $0, "404") }
    )
    func route(method: HTTPRequest.Method, target: String, expected: String) {
        #expect(outcome(method, target) == expected)
    }

    @Test(
        "an unknown method is refused like any other, without a 5xx",
        arguments: ["BREW", "get", "Get", "PROPFIND", "GETT", "QUERY"],
        [("/healthz", "405 GET, HEAD, OPTIONS"), ("/nothing", "404"), ("*", "404")]
    )
    func unknownMethod(method: String, target: (String, String)) throws {
        #expect(outcome(try #require(HTTPRequest.Method(method)), target.0) == target.1)
    }

    @Test("a route for HEAD, OPTIONS or a custom method has precedence")
    func ownMethods() throws {
        let purge = try #require(HTTPRequest.Method("PURGE"))
        let router = Router(routes: [
            .get("/a", saying("get")), Route(.head, "/a", handler: saying("head")),
            Route(.options, "/a", handler: saying("options")), Route(purge, "/a", handler: saying("purge")),
            .get("/b", saying("b")),
        ])
        for method in [HTTPRequest.Method.head, .options, purge] {
            #expect(router.match(method, Target("/a")).route?.method == method)
        }
        guard case .methodNotAllowed(let allow) = router.match(.put, Target("/a")).outcome else {
            Issue.record("PUT is not served")
            return
        }
        #expect(allow == "GET, HEAD, OPTIONS, PURGE")
        guard case .notFound = router.match(purge, Target("/nothing")).outcome else {
            Issue.record("a method that the table has is known")
            return
        }
    }

    @Test("a match has the template of the path even if the method is not allowed")
    func template() {
        #expect(router.match(.put, Target("/v1/bars/a1")).template == "/v1/bars/{id}")
        #expect(router.match(.options, Target("/v1/bars/a1")).template == "/v1/bars/{id}")
        #expect(router.match(.get, Target("/nothing")).template == nil)
        for (index, template) in router.templates.enumerated() {
            let path = template.replacing("{id}", with: "a").replacing("{variant}", with: "b")
            #expect(router.match(.options, Target(path)).templateIndex == index)
        }
    }

    @Test("a path without a route for the method needs no token if none of its routes does")
    func accessOfPath() {
        for (target, isOpen) in [("/healthz", true), ("/v1/bars", false), ("/nothing", false)] {
            let access = router.match(.put, Target(target)).access
            if case .open = access { #expect(isOpen, "\(target)") } else { #expect(!isOpen, "\(target)") }
        }
    }

    @Test("the paths are listed once, in the given order")
    func table() {
        #expect(router.templates.count == 10)
        #expect(router.templates.prefix(3) == ["/", "/healthz", "/v1/bars/{id}"])
    }
}
