import Foundation
import HTTPExchange
import Logging
import Synchronization
import TestSupport
import Testing

@testable import MicroHTTPServer

/// Tests the library's own responses against the table in docs/http.md.
@Suite struct LibraryErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: String
        let status: Int?

        init(_ name: String, _ request: String, _ status: Int?) {
            testDescription = name
            self.request = request
            self.status = status
        }
    }

    private static let long = String(repeating: "a", count: 17_000)

    static let cases = [
        Case("a field without a colon", get("/", "nonsense\r\n"), 400),
        Case("a length that is no number", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        Case("a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\n12345", 400),
        Case("a negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n12345", 400),
        Case("a signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n12345", 400),
        Case(
            "a length beyond 64 bits",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
            413
        ),
        Case(
            "a chunk size that is no number",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            400
        ),
        Case(
            "a chunk longer than its size",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n123\r\n",
            400
        ),
        Case(
            "a chunk size beyond 64 bits",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\n",
            413
        ),
        Case("a target of 17 kB", get("/" + long), 414),
        Case("a field of 17 kB", get("/", "X-A: \(long)\r\n"), 431),
        Case("HTTP/2.0 without its preface", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        Case("HTTP/9.9", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", 505),
        Case("a version that is none", "GET / HTTX/1.1\r\nHost: a\r\n\r\n", 400),
        Case("no version", "GET /\r\n\r\n", 400),
        Case("one word", "nonsense\r\n\r\n", nil),
    ]

    @Test("the library sends its own response or none, and closes the connection", arguments: cases)
    func libraryError(_ testCase: Case) async throws {
        try await withServer { fixture in
            let connection = try fixture.connect()
            try connection.send(testCase.request)
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            if let status = testCase.status {
                #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
                #expect(text.contains("Connection: close\r\n"))
            } else {
                #expect(text.isEmpty)
            }
            #expect(fixture.statistics.exchanges[.completed] == 0)
            #expect(eventually { fixture.statistics.activeRequests == 0 })
        }
    }

    /// The library may respond more than once (0.9.75 does).
    @Test("a malformed Content-Length is refused, what follows it is not answered, and the connection closes")
    func malformedLength() async throws {
        try await withServer { fixture in
            let connection = try fixture.connect()
            try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n" + get("/behind"))
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 400 "))
            #expect(!text.contains(" 200 "))
        }
    }

    @Test("refusals of the library after the request line are counted")
    func counted() async throws {
        try await withServer { fixture in
            let connection = try fixture.connect()
            try connection.send(get("/", "nonsense\r\n"))
            _ = try connection.readToEnd()
            #expect(eventually { fixture.statistics.exchanges[.refusedByLibrary] == 1 })
        }
    }

    @Test("the library's log is written to the logger, in lines with a level")
    func log() async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { fixture in
            let connection = try fixture.connect()
            try connection.send(get("/", "nonsense\r\n"))
            _ = try connection.readToEnd()
        }
        let line = try #require(log.lines.first { $0.message.hasPrefix("Error processing request") })
        #expect(line.message.contains("HTTP response code is 400"))
        #expect(line.level == .debug)
        #expect(line.metadata["source"] == "libmicrohttpd")
        #expect(!line.message.hasSuffix("\n"))
    }

    @Test(
        "lines caused by clients have the level debug, others warning",
        arguments: [
            ("Error processing request (HTTP response code is 400 ('…')). Closing connection.", Logger.Level.debug),
            ("Connection was closed by remote side with incomplete request.", .debug),
            ("Application reported internal error, closing connection.", .debug),
            ("Call to epoll_ctl failed: No space left on device", .warning),
            ("Failed to signal resume via inter-thread communication channel.", .warning),
            ("Error allocating memory: Cannot allocate memory", .warning),
        ]
    )
    func level(line: String, level: Logger.Level) {
        #expect(LibraryLog.level(of: line[...]) == level)
    }
}
