import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct BearerTokensTests {
    private let application: Application

    init() throws {
        application = try Application(
            [
                .get("/healthz", access: .open, saying("alive")),
                .get("/v1/bars/{id}", saying("bar")),
                .get(
                    "/v1/photos/{id}",
                    access: .openIf { request, parameters in
                        request.method == .get && parameters["id"] == "seen"
                    },
                    saying("picture")
                ),
            ],
            [BearerTokens(tokens: ["first-token", "second"], prefixes: ["/v1/", "/unsplash/"])]
        )
    }

    @Test(
        "a token is required unless the route is open",
        arguments: [
            (HTTPRequest.Method.get, "/healthz", 200), (.head, "/healthz", 200), (.post, "/healthz", 405),
            (.get, "/v1/bars/a", 401), (.head, "/v1/bars/a", 401), (.delete, "/v1/bars/a", 401),
            (.options, "/v1/bars/a", 204), (.options, "*", 204), (.options, "/v1/nothing", 404),
            (.get, "/v1/photos/seen", 200), (.get, "/v1/photos/unseen", 401), (.head, "/v1/photos/seen", 401),
            (.post, "/v1/photos/seen", 401), (.get, "/v1/nothing", 401), (.get, "/unsplash/nothing", 401),
            (.get, "/nothing", 404), (.get, "/favicon.ico", 404), (.get, "/v1/bars/%ff", 401),
        ]
    )
    func access(method: HTTPRequest.Method, target: String, status: Int) async throws {
        let bare = try await application.response(to: request(method, target))
        #expect(bare.status.code == status)
        #expect(bare.problemCode == (status == 401 ? "unauthorized" : bare.problemCode))
        #expect(bare.fields[.wwwAuthenticate] == (status == 401 ? "Bearer" : nil))
        let known = try await application.response(to: request(method, target, [.authorization: "Bearer second"]))
        #expect(known.status != .unauthorized)
    }

    @Test(
        "any complete token is accepted",
        arguments: [
            ("Bearer first-token", 200), ("Bearer second", 200), ("bearer second", 200), ("BEARER  second", 200),
            ("Bearer secon", 401), ("Bearer secondd", 401), ("Bearer Second", 401), ("Bearer second x", 401),
            ("Bearer first-tokensecond", 401), ("Bearer secondsecond", 401), ("Bearer ", 401), ("Bearer", 401),
            ("second", 401), ("Basic second", 401), ("", 401), ("Bearer second, Bearer second", 401),
        ]
    )
    func tokens(value: String, status: Int) async throws {
        let response = try await application.response(to: request(.get, "/v1/bars/a", [.authorization: value]))
        #expect(response.status.code == status)
    }

    @Test("a token has one principal in all replicas, whatever their order of tokens")
    func principals() async throws {
        var replies: [String: Set<String>] = [:]
        for tokens in [["first-token", "second"], ["second", "other", "first-token"]] {
            let route = Route.get("/v1/me") { _, context in .now(.text("\(context.principal ?? 0)")) }
            let replica = try Application([route], [BearerTokens(tokens: tokens, prefixes: [])])
            for token in tokens {
                let response = try await replica.response(
                    to: request(.get, "/v1/me", [.authorization: "Bearer \(token)"])
                )
                guard case .bytes(let bytes) = response.content else { continue }
                replies[token, default: []].insert(String(decoding: bytes, as: UTF8.self))
            }
        }
        #expect(replies.values.allSatisfy { $0.count == 1 })
        #expect(Set(replies.values).count == 3)
    }

    @Test(
        "an answer that needed a token is private, whatever its handler allows (RFC 9111, section 3.5)",
        arguments: [
            (HTTPRequest.Method.get, "public, max-age=300", "private, max-age=300"), (.get, "no-store", "no-store"),
            (.get, "max-age=9,  public , s-maxage=5, stale-if-error=4", "private, max-age=9, stale-if-error=4"),
            (.get, "no-cache", "private, no-cache"), (.get, "private", "private"), (.get, nil, "private"),
            (.post, nil, nil), (.post, "public", "private"),
        ] as [(HTTPRequest.Method, String?, String?)]
    )
    func cacheControl(method: HTTPRequest.Method, control: String?, expected: String?) async throws {
        let handler: Handler = { _, _ in
            var response = Response()
            response.fields[.cacheControl] = control
            return .now(response)
        }
        let tokens = BearerTokens(tokens: ["second"], prefixes: [])
        for access in [Route.Access.token, .openIf { _, _ in false }, .open, .openIf { _, _ in true }] {
            let route = Route(method, "/v1/a", access: access, handler: handler)
            let answer = try await Application([route], [tokens]).response(
                to: request(method, "/v1/a", [.authorization: "Bearer second"])
            )
            let isOpen = try await Application([route], [tokens]).response(to: request(method, "/v1/a")).status == .ok
            #expect(answer.fields[.cacheControl] == (isOpen ? control : expected))
        }
    }

    @Test("only a request with a token gets the reason (RFC 6750, section 3)")
    func challenge() async throws {
        let wrong = try await application.response(to: request(.get, "/v1/bars/a", [.authorization: "Bearer x"]))
        #expect(wrong.fields[.wwwAuthenticate] == "Bearer error=\"invalid_token\"")
        #expect(wrong.text?.contains("first-token") == false)
    }

    @Test("two Authorization fields count as none")
    func twice() async throws {
        var asked = request(.get, "/v1/bars/a", [.authorization: "Bearer second"])
        asked.fields.append(.authorization, "Bearer second")
        #expect(try await application.response(to: asked).status == .unauthorized)
    }
}
