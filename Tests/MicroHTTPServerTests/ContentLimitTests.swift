import HTTPExchange
import MicroHTTPServer
import TestSupport
import Testing

@Suite struct ContentLimitTests {
    private static let limit = 10_000

    private func withLimit(_ body: @Sendable (ServerFixture) async throws -> Void) async throws {
        try await withServer(
            configure: { $0.maxBodyBytes = Self.limit },
            answer: { .now(.text("\($0.content.count)")) },
            body
        )
    }

    private func head(_ fields: String) -> String { "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n" }

    /// Returns content of `count` bytes in chunks of a thousand.
    private func chunks(_ count: Int) -> String {
        var text = ""
        var left = count
        while left > 0 {
            let size = min(1000, left)
            text += String(size, radix: 16) + "\r\n" + String(repeating: "x", count: size) + "\r\n"
            left -= size
        }
        return text + "0\r\n\r\n"
    }

    @Test("content of exactly the limit is accepted, by length and in chunks")
    func atTheLimit() async throws {
        try await withLimit { fixture in
            let connection = try fixture.connect()
            #expect(try connection.exchange(post(String(repeating: "x", count: Self.limit))).text == "10000")
            #expect(try connection.exchange(head("Transfer-Encoding: chunked") + chunks(Self.limit)).text == "10000")
        }
    }

    @Test(
        "a length above the limit is refused before the content is sent, and chunks above it when they have been read",
        arguments: [
            "Content-Length: 10001", "Content-Length: 10001\r\nExpect: 100-continue", "Transfer-Encoding: chunked",
        ]
    )
    func aboveTheLimit(fields: String) async throws {
        try await withLimit { fixture in
            let connection = try fixture.connect()
            let response = try connection.exchange(head(fields) + (fields.hasPrefix("T") ? chunks(Self.limit + 1) : ""))
            #expect(response.status == 413)
            #expect(response.text == "contentTooLarge")
            #expect(response.closes)
            #expect(connection.isClosed())
            #expect(eventually { fixture.statistics.exchanges[.refused] == 1 })
        }
    }

    @Test("a client that sends all of too large content before it reads gets the 413, and no reset")
    func byLengthWithContent() async throws {
        try await withLimit { fixture in
            for _ in 0..<5 {
                let connection = try fixture.connect()
                // More than the socket buffers of both sides hold.
                try connection.send(post(String(repeating: "x", count: 8_000_000)))
                #expect(try connection.readResponse().status == 413)
            }
        }
    }

    @Test("a client that expects 100 gets it, and the response after its content")
    func expectation() async throws {
        try await withLimit { fixture in
            let connection = try fixture.connect()
            try connection.send(head("Content-Length: 5\r\nExpect: 100-continue"))
            #expect(try connection.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(try connection.exchange("12345").text == "5")
        }
    }
}
