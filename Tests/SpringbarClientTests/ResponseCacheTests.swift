import Foundation
import Testing

@testable import SpringbarClient

@Suite("The cache of responses")
struct ResponseCacheTests {
    @Test("A fresh response needs no request, and a stale one is revalidated with its ETag")
    func revalidation() async throws {
        let service = ScriptedTransport([
            .response(["etag": "\"1\"", "cache-control": "max-age=0, stale-if-error=60"], "[1]"),
            .response(["cache-control": "max-age=3600"], "", status: 304),
        ])
        let connection = Connection(base: "", transport: service)
        let request = ServiceRequest(method: "GET", path: "/v1/a")
        for _ in 0..<4 { #expect(try await connection.get(request).content == Array("[1]".utf8)) }
        #expect(await service.requests.map { $0.fields["If-None-Match"] } == [nil, "\"1\""])
    }

    @Test("A stale response is used while the service does not respond")
    func staleIfError() async throws {
        let service = ScriptedTransport([
            .response(["etag": "\"1\"", "cache-control": "max-age=0, stale-if-error=60"], "[1]"),
            .response([:], "{}", status: 502),
        ])
        let connection = Connection(base: "", transport: service)
        let request = ServiceRequest(method: "GET", path: "/v1/a")
        for _ in 0..<2 { #expect(try await connection.get(request).content == Array("[1]".utf8)) }
        #expect(await service.requests.count == 2)
    }

    @Test(
        "A response is kept by its fields",
        arguments: [
            ("max-age=60", nil, true), ("max-age=60", "60", false), ("no-store, max-age=60", nil, false),
            ("no-cache", nil, false), ("public, max-age=60, stale-while-revalidate=9", "59", true), ("", nil, false),
        ] as [(String, String?, Bool)]
    )
    func freshness(control: String, age: String?, isFresh: Bool) {
        let cache = ResponseCache(byteLimit: 1000)
        var fields = ["cache-control": control, "etag": "\"1\""]
        fields["age"] = age
        cache.store(ServiceResponse(status: 200, fields: fields, content: [1]), for: "/a", now: 100)
        #expect((cache.entry(for: "/a")?.freshUntil ?? 0 > 100) == isFresh)
    }

    @Test("A success that is not the service's, such as a login page, is not kept")
    func foreignSuccess() async throws {
        let page = ["content-type": "text/html", "cache-control": "max-age=3600"]
        let service = ScriptedTransport([.response(page, "<html>"), .response([:], "[1]")])
        let connection = Connection(base: "", transport: service)
        let request = ServiceRequest(method: "GET", path: "/v1/a")
        _ = try await connection.get(request)
        #expect(try await connection.get(request).content == Array("[1]".utf8))
    }

    @Test("Kept responses have at most so many bytes together")
    func eviction() {
        let cache = ResponseCache(byteLimit: 40)
        let fields = ["cache-control": "max-age=60"]
        let names = (0..<100).map { "/\($0)" }
        for name in names {
            let content = [UInt8](repeating: 0, count: 10)
            cache.store(ServiceResponse(status: 200, fields: fields, content: content), for: name, now: 0)
        }
        #expect(names.filter { cache.entry(for: $0) != nil }.count <= 4)
    }

    @Test("A GET waits for a short Retry-After, and a longer one is an error")
    func retries() async throws {
        let busy = { (seconds: String) in
            ServiceResponse.response(["retry-after": seconds], #"{"type":"/problems/overloaded"}"#, status: 503)
        }
        let service = ScriptedTransport([busy("2"), .response([:], "[1]"), busy("60")])
        let pauses = Pauses()
        let connection = Connection(base: "", transport: service, clock: pauses)
        let request = ServiceRequest(method: "GET", path: "/v1/a")
        #expect(try await connection.get(request).status == 200)
        let waited = await pauses.seconds
        #expect(waited.count == 1 && waited.allSatisfy { 2...2.25 ~= $0 })
        let problem = await #expect(throws: Problem.self) { try await connection.get(request) }
        #expect(problem?.code == "overloaded" && problem?.retryAfter == 60)
    }

    @Test(
        "A response that is not JSON is a problem with its status; one that claims success has 0, and may be retried",
        arguments: [
            (200, "text/html", 0, true), (200, "application/json", 0, true), (403, "text/html", 403, false),
            (403, "application/json", 403, false), (502, "application/problem+json", 502, true),
        ]
    )
    func foreign(status: Int, type: String, expected: Int, isTransient: Bool) async throws {
        let service = ScriptedTransport([.response(["content-type": type], "<html>", status: status)])
        let connection = Connection(base: "", transport: service)
        let response = try await connection.send(ServiceRequest(method: "GET", path: "/v1/a"))
        let problem = #expect(throws: Problem.self) { try response.document() }
        #expect(problem?.code == "unreadable" && problem?.status == expected && problem?.isTransient == isTransient)
    }

    @Test("An error page of a proxy says when to come back, too")
    func foreignPause() async throws {
        let page = ServiceResponse(status: 503, fields: ["retry-after": "3600"], content: Array("<html>".utf8))
        let problem = #expect(throws: Problem.self) { try page.document() }
        #expect(problem?.code == "unreadable" && problem?.retryAfter == 3600)
    }

    @Test(
        "Retry-After is a number of seconds or a date",
        arguments: [
            ("7", 7), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 0), ("-1", nil),
            ("soon", nil),
        ] as [(String, Double?)]
    )
    func retryAfter(field: String, seconds: Double?) {
        // 6 November 1994, 08:49:00.
        #expect(BackOff.seconds(retryAfter: field, now: Date(timeIntervalSince1970: 784_111_740)) == seconds)
    }
}

/// A clock on which pauses take no time.
private actor Pauses: ClientClock {
    private(set) var seconds: [Double] = []
    nonisolated let now = 0.0

    func sleep(until time: Double) { seconds.append(time) }
}

/// Answers requests with a list of responses, in order.
actor ScriptedTransport: Transport {
    private(set) var requests: [ServiceRequest] = []
    private var responses: [ServiceResponse]

    init(_ responses: [ServiceResponse]) {
        self.responses = responses
    }

    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        requests.append(request)
        guard !responses.isEmpty else { throw Problem(code: "unreachable", detail: "The script is over.") }
        return responses.removeFirst()
    }
}

extension ServiceResponse {
    static func response(_ fields: [String: String], _ text: String, status: Int = 200) -> ServiceResponse {
        ServiceResponse(
            status: status,
            fields: ["content-type": "application/json"].merging(fields) { _, given in given },
            content: Array(text.utf8)
        )
    }
}
