import HTTPExchange
import HTTPTypes
import JSON
import MessageAuthentication
import MotionFeature
import Photos
import ServiceHarness
import SpringbarService
import TestSupport
import Testing

/// What needs a token must not be stored by shared caches, which would send it to clients without one (RFC 9111, 3.5).
@Suite("Answers of routes that need a token")
struct PrivateAnswerTests {
    private let service: Service

    init() throws {
        let motion = MotionHandlers()
        motion.designTokens.replace(with: try DesignTokens(Array(Checkout.text("Examples/motion.tokens.json").utf8)))
        var photos = PhotoService.Configuration(library: .sandbox)
        photos.signatures = LinkSignatures(tokens: [Self.token], HMAC.sha256)
        service = try Service(
            environment: ["SPRINGBAR_API_TOKENS": Self.token],
            motion: motion,
            photos: PhotoHandlers(PhotoService(photos, library: FakeLibrary()))
        )
    }

    private static let token = "a-token-of-the-tests"
    /// The queries of routes that need one; those of motion are in the contract.
    private static let queries = [
        "/v1/search/photos": "query=dune", "/v1/bars/{id}/states": "at=0", "/v1/photos/{id}/image": "w=320",
        "/unsplash/search/photos": "query=dune",
    ]

    private func ask(
        _ method: HTTPRequest.Method,
        _ target: String,
        hasToken: Bool,
        content: String = ""
    ) async throws -> Response {
        var fields: Fields = hasToken ? [.authorization: "Bearer \(Self.token)"] : [:]
        if !content.isEmpty { fields[.contentType] = "application/json" }
        let request = Request(method: method, target: Target(target), fields: fields, content: Array(content.utf8))
        let response = try await service.application.respond(to: request).value()
        response.content.release()
        return response
    }

    private func directives(_ response: Response) -> [Substring] {
        (response.fields[.cacheControl] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
    }

    /// Creates a bar; returns its path.
    private func bar() async throws -> String {
        let response = try await ask(.post, "/v1/bars", hasToken: true, content: Bodies.create())
        return try #require(response.fields[.location])
    }

    @Test("the answer to a request that needs a token is private or not stored, on every route")
    func everyRoute() async throws {
        let bar = try await bar()
        let motion = try Checkout.exampleTargets(tag: "Motion")
            .merging(Checkout.exampleTargets(tag: "Design tokens")) { $1 }
        var count = 0
        // The bar is deleted after it has been read.
        for route in service.routes.filter({ $0.method == .get }) + service.routes.filter({ $0.method != .get }) {
            var path = route.template.replacing("/v1/bars/{id}", with: bar)
            let values = [
                "id": "p2", "slug": "p2", "username": "ada", "variant": "thumb", "code": "not-found",
                "name": "playground.js",
            ]
            for (name, value) in values { path = path.replacing("{\(name)}", with: value) }
            let target = motion[route.template] ?? Self.queries[route.template].map { "\(path)?\($0)" } ?? path
            let line: Comment = "\(route.method) \(target)"
            let response = try await ask(route.method, target, hasToken: true)
            guard try await ask(route.method, target, hasToken: false).status == .unauthorized else { continue }
            count += 1
            #expect(!directives(response).contains { $0 == "public" || $0.hasPrefix("s-maxage") }, line)
            guard route.method == .get else { continue }
            #expect(response.status == .ok, line)
            #expect(directives(response).contains { $0 == "private" || $0 == "no-store" }, line)
            let again = Request(
                method: .get,
                target: Target(target),
                fields: [
                    .authorization: "Bearer \(Self.token)", .ifNoneMatch: response.fields[.eTag] ?? "\"none\"",
                ]
            )
            if case .now(let response) = service.application.respond(to: again) {
                #expect(!directives(response).contains("public"), line)
            }
        }
        #expect(count > 40)
    }

    @Test("without tokens, and for pictures by signed links, answers stay public")
    func publicAnswers() async throws {
        let page = try await ask(.get, "/v1/photos", hasToken: true)
        let photo = try JSON.parse(page.bytes).object()["items"].array()[0].object()
        let link = try photo["images"].object()["thumb"].object()["url"].string()
        let picture = try await ask(.get, link, hasToken: false)
        #expect(picture.status == .ok)
        #expect(directives(picture).contains("public"))
        let open = try Service().get("/v1/springs?dampingRatio=0.8&response=0.3")
        #expect(directives(open).contains("public"))
    }
}
