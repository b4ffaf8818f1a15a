import Foundation
import HTTPExchange
import Logging
import Synchronization
import TestSupport
import Testing

@testable import MicroHTTPServer

/// Tests the library's own responses against the table in docs/http.md.
@Suite struct LibraryErrorTests {
    private static let long = String(repeating: "a", count: 17_000)

    private static func post(length: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n12345"
    }

    private static func post(chunks: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)\r\n"
    }

    /// The library may respond more than once (0.9.75 does).
    @Test(
        "the library sends its own response or none, and closes the connection; what follows is not answered",
        arguments: [
            // A field without a colon.
            (get("/", "nonsense\r\n"), 400), (post(length: "x"), 400), (post(length: "5, 5"), 400),
            (post(length: "-5"), 400), (post(length: "+5"), 400), (post(length: "99999999999999999999"), 413),
            (post(length: "100000000000000000000"), 413), (post(chunks: "x"), 400), (post(chunks: "2\r\n123"), 400),
            (post(chunks: "11111111111111111"), 413), (post(chunks: "2;" + long), 500), (get("/" + long), 414),
            (get("/", "X-A: \(long)\r\n"), 431),
            ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("GET / HTTP/9.9\r\nHost: a\r\n\r\n", 505),
            ("GET / HTTX/1.1\r\nHost: a\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("nonsense\r\n\r\n", nil),
        ] as [(String, Int?)]
    )
    func libraryError(request: String, status: Int?) async throws {
        try await withServer { fixture in
            let connection = try fixture.connect()
            try connection.send(request + get("/behind"))
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            if let status {
                #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
                #expect(text.contains("Connection: close\r\n"))
            } else {
                #expect(text.isEmpty)
            }
            #expect(!text.contains(" 200 "))
            #expect(fixture.statistics.exchanges[.completed] == 0)
            #expect(eventually { fixture.statistics.activeRequests == 0 })
        }
    }

    @Test("a refusal of the library is counted, and its log is written to the logger, in lines with a level")
    func log() async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { fixture in
            let connection = try fixture.connect()
            try connection.send(get("/", "nonsense\r\n"))
            _ = try connection.readToEnd()
            #expect(eventually { fixture.statistics.exchanges[.refusedByLibrary] == 1 })
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
