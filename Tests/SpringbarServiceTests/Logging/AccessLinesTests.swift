import Foundation
import HTTPExchange
import HTTPTypes
import Logging
import Primitives
import SpringbarService
import Synchronization
import Testing

@Suite("Access lines")
struct AccessLinesTests {
    /// Returns the log lines of requests, written directly or by the logger.
    private func lines(of requests: [Request], isDirect: Bool) async throws -> [String] {
        let pipe = Pipe()
        let output = LogOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor) { _ in [] }
        let wall: @Sendable () -> WallTime = { WallTime(milliseconds: 951_782_400_123) }
        let log = LogLines(label: "test", format: .json, now: wall)
        let handler = ServiceLogHandler(lines: log, level: .info, output: output)
        // Each reading of the clock is 1.2345 ms after the one before.
        let start = Instant.now
        let looks = Atomic(0)
        let application = Application(
            router: Router(routes: [
                .get("/photos/{id}", query: .ignored) { _, _ in .now(.text("hello")) },
                .get("/stream") { _, _ in .now(EventStream().response) },
                .get("/later") { _, _ in .later { .text("later") } },
            ]),
            middleware: [
                RequestIdentity(makeSpanID: { 1 }),
                AccessLog(write: isDirect ? handler.write : nil),
            ],
            logger: Logger(label: "test") { _ in handler },
            makeRequestID: { "made-id" },
            now: { start + .microseconds(1234.5) * looks.add(1, ordering: .relaxed).newValue },
            problem: { _ in nil }
        )
        for request in requests {
            if case .later(let work) = application.respond(to: request) { _ = try await work() }
        }
        #expect(output.flush(within: .seconds(10)))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    @Test("Access lines are byte for byte the lines of a logger")
    func same() async throws {
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let requests = [
            Request(method: .get, target: Target("/photos/a?client_id=secret"), from: "192.0.2.1"),
            Request(method: .head, target: Target("/photos/a"), fields: [.xRequestID: "mine"], from: "::1"),
            Request(method: .get, target: Target("/later"), fields: [.traceparent: trace]),
            Request(method: .get, target: Target("/stream")),
            Request(method: .put, target: Target("/nowhere/\"\\\u{202e}é")),
            Request(method: HTTPRequest.Method(String(repeating: "X", count: 300))!, target: Target("*")),
            Request(method: .get, target: Target("http://host/photos/" + String(repeating: "é", count: 300))),
        ]
        let direct = try await lines(of: requests, isDirect: true)
        #expect(direct.count == requests.count)
        #expect(direct == (try await lines(of: requests, isDirect: false)))
        #expect(
            direct[0]
                == #"{"time":"2000-02-29T00:00:00.123Z","level":"info","logger":"test","message":"request","#
                + #""bytes":5,"client":"192.0.2.1","durationMilliseconds":1.235,"method":"GET","path":"/photos/a","#
                + #""requestId":"made-id","route":"/photos/{id}","status":200}"#
        )
        #expect(direct[2].hasSuffix(#","traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}"#))
        #expect(direct[4].contains(#","problem":"not-found","requestId":"#))
        #expect(direct[4].contains(#""path":"/nowhere/\"\\\u202eé""#))
    }
}
