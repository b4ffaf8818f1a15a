import HTTPExchange
import HTTPTypes
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite
struct RequestMetricsTests {
    private let metrics: RequestMetrics
    private let application: Application
    private let clock = TestClock()

    init() throws {
        let clock = clock
        let routes: [Route] = [
            .get("/v1/bars/{id}") { _, _ in
                clock.advance(by: .milliseconds(3))
                return .now(.text(""))
            },
            .get("/fault") { _, _ in throw Problem(.tooManyRequests, "") },
        ]
        metrics = RequestMetrics(router: Router(routes: routes))
        application = try Application(routes, [metrics], now: { clock.instant })
    }

    @Test("requests are counted by template, method and status, and timed by template and method")
    func counted() async throws {
        for target in ["/v1/bars/a", "/v1/bars/b", "/fault"] {
            _ = try await application.response(to: request(.get, target))
        }
        _ = try await application.response(to: request(.head, "/v1/bars/a"))
        #expect(metrics.counts == ["/v1/bars/{id} GET 200": 2, "/v1/bars/{id} HEAD 200": 1, "/fault GET 429": 1])
        var get = DurationHistogram()
        get.record(.milliseconds(3))
        // The HEAD is timed with the GET, whose handler it has.
        for _ in 0..<2 { get.record(.milliseconds(3)) }
        var fault = DurationHistogram()
        fault.record(.zero)
        #expect(metrics.times == ["/v1/bars/{id} GET": get, "/fault GET": fault])
    }

    @Test("the labels are bounded for any requests")
    func bounded() async throws {
        for index in 0..<50 {
            _ = try await application.response(to: request(.get, "/made-up-\(index)"))
            let method = try #require(HTTPRequest.Method("M\(index)"))
            _ = try await application.response(to: request(method, "/v1/bars/a"))
            _ = try await application.response(to: request(.put, "/v1/bars/\(index)"))
        }
        #expect(
            metrics.counts == ["none GET 404": 50, "none other 405": 50, "none PUT 405": 50]
        )
        #expect(metrics.times.isEmpty)
    }

    @Test("requests without a route or a token create no rows of a route, and no times")
    func strangers() async throws {
        let routes: [Route] = (0..<20).map { .get("/v1/\($0)") { _, _ in .now(.text("")) } }
        let metrics = RequestMetrics(router: Router(routes: routes))
        let tokens = BearerTokens(tokens: ["t"], prefixes: ["/v1/"])
        let application = try Application(routes, [metrics, tokens])
        for method in Router.knownMethods {
            for number in 0..<20 { _ = try await application.response(to: request(method, "/v1/\(number)")) }
        }
        #expect(Set(metrics.all.map(\.route)) == ["none"])
        #expect(metrics.times.isEmpty)
        _ = try await application.response(to: request(.get, "/v1/7", [.authorization: "Bearer t"]))
        #expect(metrics.counts["/v1/7 GET 200"] == 1)
    }

    @Test("requests on many threads are all counted")
    func concurrency() async {
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { _ = application.respond(to: request(.get, "/v1/bars/a")) }
                }
            }
        }
        #expect(metrics.counts == ["/v1/bars/{id} GET 200": 8000])
        #expect(metrics.times["/v1/bars/{id} GET"]?.counts.reduce(0, +) == 8000)
        #expect(metrics.inFlight == 0)
    }

    @Test("a request is in flight until its response, even if this is asynchronous or an error")
    func inFlight() async throws {
        let seen = Journal()
        let metrics = RequestMetrics(router: Router(routes: [.get("/") { _, _ in .now(.text("")) }]))
        let routes: [Route] = [
            .get("/") { _, _ in
                .later {
                    seen.note("\(metrics.inFlight)")
                    throw Problem(.tooManyRequests, "")
                }
            }
        ]
        let application = try Application(routes, [metrics])
        let replies = [application.respond(to: request()), application.respond(to: request())]
        #expect(metrics.inFlight == 2)
        for reply in replies {
            guard case .later(let work) = reply else {
                Issue.record("the handler promised an answer")
                return
            }
            _ = try await work()
        }
        #expect(seen.lines == ["2", "1"])
        #expect(metrics.inFlight == 0)
    }

    @Test("a refusal at the deadline is counted once, and the cancelled work is not")
    func refusedMeanwhile() async throws {
        let routes: [Route] = [.get("/") { _, _ in .later { throw CancellationError() } }]
        let metrics = RequestMetrics(router: Router(routes: routes))
        let application = try Application(routes, [metrics])
        let memory = RequestMemory.unlimited()
        guard case .later(let work) = application.respond(to: request(), memory: memory) else {
            Issue.record("the handler promised an answer")
            return
        }
        memory.refuse()
        _ = application.response(to: .deadlineExceeded, of: request(), memory: nil)
        _ = try await work()
        #expect(metrics.counts == ["/ GET 503": 1])
        #expect(metrics.inFlight == 0)
    }
}

extension RequestMetrics {
    /// The numbers by route, method and status.
    fileprivate var counts: [String: Int] {
        all.reduce(into: [:]) { counts, row in
            for (status, count) in row.requests.counts { counts["\(row.route) \(row.method) \(status)"] = count }
        }
    }

    /// The times by route and method.
    fileprivate var times: [String: DurationHistogram] {
        all.reduce(into: [:]) { $0["\($1.route) \($1.method)"] = $1.requests.times }
    }
}
