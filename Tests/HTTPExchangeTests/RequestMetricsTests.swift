import CoreMetrics
import HTTPExchange
import HTTPTypes
import Primitives
import Synchronization
import Testing

@Suite
struct RequestMetricsTests {
    private let factory = RecordedMetrics()
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
        let router = Router(routes: routes)
        application = try Application(routes, [RequestMetrics(router: router, factory: factory)], now: { clock.now })
    }

    @Test("requests are counted by template, method and status, and timed by template and method")
    func counted() async throws {
        for target in ["/v1/bars/a", "/v1/bars/b", "/fault"] {
            _ = try await application.response(to: request(.get, target))
        }
        _ = try await application.response(to: request(.head, "/v1/bars/a"))
        #expect(
            factory.counts == [
                "http_requests_total route=/v1/bars/{id} method=GET status=200": 2,
                "http_requests_total route=/v1/bars/{id} method=HEAD status=200": 1,
                "http_requests_total route=/fault method=GET status=429": 1,
            ]
        )
        #expect(
            factory.times == [
                "http_request_duration_seconds route=/v1/bars/{id} method=GET": [3_000_000, 3_000_000],
                "http_request_duration_seconds route=/v1/bars/{id} method=HEAD": [3_000_000],
                "http_request_duration_seconds route=/fault method=GET": [0],
            ]
        )
    }

    @Test("the labels are bounded for any requests, and each handle is created once")
    func bounded() async throws {
        for index in 0..<50 {
            _ = try await application.response(to: request(.get, "/made-up-\(index)"))
            let method = try #require(HTTPRequest.Method("M\(index)"))
            _ = try await application.response(to: request(method, "/v1/bars/a"))
            _ = try await application.response(to: request(.put, "/v1/bars/\(index)"))
        }
        #expect(
            factory.counts == [
                "http_requests_total route=none method=GET status=404": 50,
                "http_requests_total route=/v1/bars/{id} method=other status=405": 50,
                "http_requests_total route=/v1/bars/{id} method=PUT status=405": 50,
            ]
        )
        // A counter and a timer for each of the three, and the gauge of requests in flight.
        #expect(factory.made == 3 + 3 + 1)
    }

    @Test("a request is in flight until its response, even if this is asynchronous or an error")
    func inFlight() async throws {
        let seen = Journal()
        let factory = factory
        let routes: [Route] = [
            .get("/") { _, _ in
                .later {
                    seen.note("\(factory.level)")
                    throw Problem(.tooManyRequests, "")
                }
            }
        ]
        let application = try Application(
            routes,
            [RequestMetrics(router: Router(routes: routes), factory: factory)]
        )
        let replies = [application.respond(to: request()), application.respond(to: request())]
        #expect(factory.level == 2)
        for reply in replies {
            guard case .later(let work) = reply else {
                Issue.record("the handler promised an answer")
                return
            }
            _ = try await work()
        }
        #expect(seen.lines == ["2.0", "1.0"])
        #expect(factory.level == 0)
    }

    @Test("a refusal at the deadline is counted once, and the cancelled work is not")
    func refusedMeanwhile() async throws {
        let factory = factory
        let routes: [Route] = [.get("/") { _, _ in .later { throw CancellationError() } }]
        let application = try Application(
            routes,
            [RequestMetrics(router: Router(routes: routes), factory: factory)]
        )
        let memory = RequestMemory.unlimited()
        guard case .later(let work) = application.respond(to: request(), memory: memory) else {
            Issue.record("the handler promised an answer")
            return
        }
        memory.refuse()
        _ = application.response(to: .deadlineExceeded, of: request())
        _ = try await work()
        #expect(factory.counts == ["http_requests_total route=/ method=GET status=503": 1])
        #expect(factory.level == 0)
    }
}

/// A metrics backend that a test can read.
private final class RecordedMetrics: MetricsFactory {
    private struct State {
        var counts: [String: Int64] = [:]
        var times: [String: [Int64]] = [:]
        var level = 0.0
        var made = 0
    }

    private let state = Lock(State())

    var counts: [String: Int64] { state.withLock { $0.counts } }
    var times: [String: [Int64]] { state.withLock { $0.times } }
    var level: Double { state.withLock { $0.level } }
    var made: Int { state.withLock { $0.made } }

    private func name(_ label: String, _ dimensions: [(String, String)]) -> String {
        state.withLock { $0.made += 1 }
        return dimensions.reduce(label) { "\($0) \($1.0)=\($1.1)" }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(name(label, dimensions), self)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Handler(name(label, dimensions), self)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        Handler(name(label, dimensions), self)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}

    private final class Handler: CounterHandler, TimerHandler, MeterHandler {
        private let name: String
        private let metrics: RecordedMetrics

        init(_ name: String, _ metrics: RecordedMetrics) {
            self.name = name
            self.metrics = metrics
        }

        func increment(by amount: Int64) { metrics.state.withLock { $0.counts[name, default: 0] += amount } }
        func reset() { metrics.state.withLock { $0.counts[name] = 0 } }
        func recordNanoseconds(_ duration: Int64) {
            metrics.state.withLock { $0.times[name, default: []].append(duration) }
        }
        func set(_ value: Int64) { set(Double(value)) }
        func set(_ value: Double) { metrics.state.withLock { $0.level = value } }
        func increment(by amount: Double) { metrics.state.withLock { $0.level += amount } }
        func decrement(by amount: Double) { metrics.state.withLock { $0.level -= amount } }
    }
}
