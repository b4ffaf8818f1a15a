import HTTPExchange
import HTTPTypes
import Logging
import TestSupport
import Testing

@Suite
struct ApplicationTests {
    private static let routes: [Route] = [
        .get("/healthz", access: .open, saying("alive")),
        .get("/v1/bars/{id}") { _, context in .now(.text("bar \(context.parameters.require("id"))")) },
        .post("/v1/bars", saying("created")),
    ]

    @Test(
        "every rule of the table has its status, Allow and problem",
        arguments: [
            (HTTPRequest.Method.get, "/healthz", 200, nil, nil),
            (.get, "/v1/bars/x", 200, nil, nil),
            (.get, "/nothing", 404, nil, "not-found"),
            (.get, "/v1/bars", 405, "POST, OPTIONS", "method-not-allowed"),
            (.options, "/healthz", 204, "GET, HEAD, OPTIONS", nil),
            (.options, "*", 204, "GET, HEAD, POST, OPTIONS", nil),
            (.get, "/v1/bars/%ff", 400, nil, "malformed-path"),
            (.get, "/healthz?a=1", 400, nil, "invalid-query"),
        ] as [(HTTPRequest.Method, String, Int, String?, String?)]
    )
    func rules(
        method: HTTPRequest.Method,
        target: String,
        status: Int,
        allow: String?,
        problem: String?
    ) async throws {
        let response = try await Application(Self.routes).response(to: request(method, target))
        #expect(response.status.code == status)
        #expect(response.fields[.allow] == allow)
        #expect(response.problemCode == problem)
    }

    // MARK: Errors

    private struct DomainError: Error {}

    @Test("a thrown problem is the response, immediate or asynchronous", arguments: [false, true])
    func thrownProblem(isLater: Bool) async throws {
        let problem = Problem(.init("teapot", .conflict, "A title.", explanation: ""), "A detail.")
        let application = try Application([
            .get("/") { _, _ in
                guard isLater else { throw problem }
                return .later { throw problem }
            }
        ])
        let response = try await application.response(to: request())
        #expect(response.status == .conflict)
        #expect(response.problemCode == "teapot")
        #expect(response.text?.contains(#""instance":"made-id""#) == true)
    }

    @Test("the service words an error of the domain, and this module words a refusal")
    func wordedErrors() async throws {
        let worded = try Application(
            [
                .get("/domain") { _, _ in throw DomainError() }, .get("/refusal") { _, _ in throw Refusal.draining },
            ],
            problem: { $0 is DomainError ? Problem(.preconditionFailed, "Ours.") : nil }
        )
        #expect(try await worded.response(to: request(.get, "/domain")).problemCode == "precondition-failed")
        #expect(try await worded.response(to: request(.get, "/refusal")).problemCode == "draining")
    }

    @Test("the text of an unexpected error is logged under the request's id and not sent", arguments: [false, true])
    func unexpected(isLater: Bool) async throws {
        let log = RecordedLog()
        let application = try Application(
            [
                .get("/") { _, _ in
                    guard isLater else { throw Unforeseen() }
                    return .later { throw Unforeseen() }
                }
            ],
            log: log
        )
        let response = try await application.response(to: request())
        #expect(response.status == .internalServerError)
        #expect(response.problemCode == "internal-error")
        #expect(response.text?.contains("swordfish") == false)
        let line = try #require(log.lines.first)
        #expect(log.lines.count == 1)
        #expect(line.level == .error)
        #expect(line.metadata["requestId"] == "made-id")
        #expect(line.metadata["error"]?.description.contains("swordfish") == true)
    }

    @Test("work that is cancelled because its client disconnected is not an error of the service")
    func cancelled() async throws {
        let log = RecordedLog()
        let application = try Application([.get("/") { _, _ in .later { throw CancellationError() } }], log: log)
        let response = try await application.response(to: request())
        #expect(response.status.code == 499)
        #expect(log.lines.isEmpty)
    }

    // MARK: Middleware

    /// Records its steps, and responds or throws for certain paths.
    private struct Recorder: Middleware {
        let name: String
        let journal: Journal

        init(_ name: String, _ journal: Journal) {
            self.name = name
            self.journal = journal
        }

        func incoming(_ request: Request, _ context: inout Context) throws -> Response? {
            journal.note("\(name) in")
            if request.target.path == "/answer-\(name)" { return .text("\(name)'s own") }
            if request.target.path == "/throw-\(name)" { throw Problem(.tooManyRequests, "Too fast.") }
            return nil
        }

        func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
            journal.note("\(name) out \(response.status.code)")
            response.fields[.server] = (response.fields[.server].map { "\($0) " } ?? "") + name
        }
    }

    @Test(
        "middleware runs from the outside in and back; inner middleware is skipped if an outer one responds",
        arguments: [
            ("/", ["a in", "b in", "c in", "c out 200", "b out 200", "a out 200"], "c b a"),
            ("/later", ["a in", "b in", "c in", "c out 200", "b out 200", "a out 200"], "c b a"),
            ("/nothing", ["a in", "b in", "c in", "c out 404", "b out 404", "a out 404"], "c b a"),
            ("/answer-b", ["a in", "b in", "b out 200", "a out 200"], "b a"),
            ("/throw-b", ["a in", "b in", "b out 429", "a out 429"], "b a"),
            ("/throw-a", ["a in", "a out 429"], "a"),
        ]
    )
    func order(target: String, expected: [String], via: String) async throws {
        let journal = Journal()
        let application = try Application(
            [.get("/", saying("")), .get("/later") { _, _ in .later { .text("") } }],
            ["a", "b", "c"].map { Recorder($0, journal) }
        )
        let response = try await application.response(to: request(.get, target))
        #expect(journal.lines == expected)
        #expect(response.fields[.server] == via)
    }

    @Test("middleware handles an asynchronous response only once it exists")
    func laterOrder() async throws {
        let journal = Journal()
        let application = try Application(
            [
                .get("/") { _, _ in
                    .later {
                        journal.note("work"); return .text("")
                    }
                }
            ],
            [Recorder("a", journal)]
        )
        guard case .later(let work) = application.respond(to: request()) else {
            Issue.record("the handler promised an answer")
            return
        }
        #expect(journal.lines == ["a in"])
        _ = try await work()
        #expect(journal.lines == ["a in", "work", "a out 200"])
    }

    @Test(
        "a refusal passes through the middleware, which cannot replace it",
        arguments: ["/", "/nothing", "/answer-a", "/throw-a", "/later"]
    )
    func refusal(target: String) throws {
        let journal = Journal()
        let application = try Application(
            [
                .get("/") { _, _ in
                    Issue.record("a refused request reaches no handler")
                    return .now(Response())
                }
            ],
            [Recorder("a", journal)]
        )
        let response = application.response(to: .contentTooLarge(limit: 9), of: request(.get, target), memory: nil)
        #expect(response.status == .contentTooLarge)
        #expect(response.problemCode == "content-too-large")
        #expect(journal.lines == ["a in", "a out 413"])
    }
}
