import HTTPExchange
import HTTPTypes
import Logging
import TestSupport
import Testing

@Suite
struct AccessLogTests {
    private func lines(
        of asked: Request,
        level: Logger.Level = .info
    ) async throws -> [RecordedLog.Line] {
        let log = RecordedLog(level: level)
        let clock = TestClock()
        let application = try Application(
            [
                .get("/v1/bars/{id}", query: .ignored) { _, _ in
                    .later {
                        clock.advance(by: .microseconds(1234))
                        return .text("hello")
                    }
                },
                .delete("/v1/bars/{id}") { _, _ in .now(Response(status: .noContent)) },
                .get("/stream") { _, _ in .now(EventStream().response) },
                .get("/fault") { _, _ in throw Problem(.tooManyRequests, "") },
            ],
            [AccessLog()],
            log: log,
            now: { clock.instant }
        )
        _ = try await application.response(to: asked)
        return log.lines
    }

    @Test("a line has the method, the route, the path without its query, the status, the time and the bytes")
    func line() async throws {
        let lines = try await lines(of: request(.get, "/v1/bars/a1?client_id=secret", peer: "192.0.2.1"))
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.level == .info)
        #expect(line.message == "request")
        #expect(
            line.metadata.mapValues(\.description) == [
                "requestId": "made-id", "method": "GET", "route": "/v1/bars/{id}", "path": "/v1/bars/a1",
                "status": "200", "durationMilliseconds": "1.234", "client": "192.0.2.1", "bytes": "5",
            ]
        )
    }

    @Test(
        "the number of bytes is that of the sent content, if it is known",
        arguments: [
            (HTTPRequest.Method.get, "/v1/bars/a1", "5"), (.head, "/v1/bars/a1", "0"), (.delete, "/v1/bars/a1", "0"),
            (.get, "/stream", nil),
        ] as [(HTTPRequest.Method, String, String?)]
    )
    func bytes(method: HTTPRequest.Method, target: String, expected: String?) async throws {
        let line = try #require(try await lines(of: request(method, target)).first)
        #expect(line.metadata["bytes"]?.description == expected)
    }

    @Test("an unknown path has no route, and errors are logged with their status and the code of the problem")
    func errors() async throws {
        let missing = try #require(try await lines(of: request(.get, "/nothing")).first)
        #expect(missing.metadata["route"] == "none")
        #expect(missing.metadata["status"]?.description == "404")
        #expect(missing.metadata["problem"] == "not-found")
        let wrong = try #require(try await lines(of: request(.put, "/v1/bars/a1")).first)
        #expect(wrong.metadata["route"] == "/v1/bars/{id}")
        #expect(wrong.metadata["status"]?.description == "405")
        #expect(wrong.metadata["problem"] == "method-not-allowed")
        let fault = try #require(try await lines(of: request(.get, "/fault")).first)
        #expect(fault.metadata["status"]?.description == "429")
        #expect(fault.metadata["problem"] == "too-many-requests")
    }

    @Test("a long path is truncated")
    func longPath() async throws {
        let line = try #require(try await lines(of: request(.get, "/" + String(repeating: "a", count: 9000))).first)
        #expect(line.metadata["path"]?.description.count == 200)
    }

    @Test("at a level above info nothing is logged")
    func level() async throws {
        #expect(try await lines(of: request(.get, "/v1/bars/a1"), level: .notice).isEmpty)
    }
}
