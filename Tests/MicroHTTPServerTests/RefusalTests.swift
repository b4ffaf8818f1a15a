import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import TestSupport
import Testing

/// Tests over a socket that the service refuses requests which the library accepts.
///
/// `RequestHeadTests` tests the rules. For faults that only the library can detect, these tests record its behaviour.
@Suite struct RefusalTests {
    /// Requests with the reason for which they are refused.
    private static let cases = [
        (
            "lengthAndTransferEncoding",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("repeatedLength", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345"),
        ("unknownTransferCoding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
        (
            "unknownTransferCoding",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n"
        ),
        ("unknownTransferCoding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n"),
        ("unknownTransferCoding", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("controlInTarget", get("/a%00b")),
        ("controlInTarget", get("/a\u{1}b")),
        ("controlInTarget", get("/a\tb")),
        ("controlInTarget", get("/a b")),
        ("controlInTarget", get("/?a=\u{7F}")),
        ("malformedTarget", get("/a#b")),
        ("malformedTarget", get("/\u{E4}")),
        ("malformedHost", get("http:///a")),
        ("controlInField", get("/", "X-A: a\u{1}b\r\n")),
        ("controlInField", get("/", "X-A: a\rb\r\n")),
        // Fields that the library truncates or confuses leave a gap in its buffer (`FieldReader`).
        ("controlInTarget", get("/a\0b")),
        ("controlInTarget", get("/a\0")),
        ("controlInTarget", get("/a?b\0c")),
        ("controlInField", get("/", "X-A: a\0b\r\n")),
        ("controlInField", get("/", "X-A: a\0b\r\nX-C: d\r\n")),
        ("controlInField", get("/", "X-A: \0\r\nX-C: d\r\n")),
        ("controlInField", get("/", "X-A: b\r\n c\r\nX-D: e\r\n")),
        ("controlInField", get("/", "X-A: b\r\n\tc\r\n d\r\n")),
        ("controlInField", "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n"),
        ("controlInField", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n 0\r\n\r\n1"),
        ("malformedFieldName", get("/", "X-A : b\r\n")),
        ("malformedFieldName", "GET / HTTP/1.1\r\nHost : a\r\n\r\n"),
        ("malformedFieldName", get("/", "X(A): b\r\n")),
        ("malformedFieldName", get("/", ": b\r\n")),
        ("malformedFieldName", get("/", ":\r\n")),
        ("malformedFieldName", get("/", ": b\r\nX-A: c\r\n")),
        ("malformedFieldName", "GET / HTTP/1.1\r\n: b\r\nHost: a\r\n\r\n"),
        ("missingHost", "GET / HTTP/1.1\r\n\r\n"),
        ("repeatedHost", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        ("malformedHost", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        ("malformedHost", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"),
        ("malformedHost", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    ]

    @Test(
        "a faulty request is refused with its reason, the connection closes, and the next request on it is not served",
        arguments: cases
    )
    func refused(reason: String, request: String) async throws {
        try await withServer { fixture in
            let connection = try fixture.connect()
            try connection.send(request + get("/behind"))
            let response = try connection.readResponse()
            #expect(response.status == 400)
            #expect(response.text == reason)
            #expect(response.closes)
            #expect(try connection.readToEnd().isEmpty, "the request behind is not served")
            #expect(eventually { fixture.statistics.exchanges[.refused] == 1 })
            #expect(fixture.statistics.exchanges[.completed] == 0)
        }
    }

    @Test(
        "a connection closes after chunked content, because its end may be ambiguous; so no request is smuggled",
        arguments: [
            "1\r\nx\r\n0\r\nX-A: b\r\n: c\r\n", "1\r\nx\r\n0\r\n\0x: GET\r\n", "1;\nx\r\n0\r\n\r\n", "1\nx\n0\n\n",
            "1\r\nx\r\n0\r\n\r\n",
        ]
    )
    func behindChunks(content: String) async throws {
        try await withServer(answer: { .now(.text($0.target.raw)) }) { fixture in
            let connection = try fixture.connect()
            let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            try connection.send(head + content + get("/smuggled"))
            let response = try connection.readResponse()
            #expect(response.text == "/")
            #expect(response.closes)
            #expect(try connection.readToEnd().isEmpty)
        }
    }

    @Test(
        "the host of an absolute target replaces the field Host (RFC 9112, 3.2.2)",
        arguments: [
            ("http://other:81/a", "Host: a\r\n", "other:81 /a"), ("HTTP://other", "Host: a\r\n", "other /"),
            ("/a", "Host: a\r\n", "a /a"), ("http://other/a", "hOST: a\r\nX: y\r\n", "other /a"),
        ]
    )
    func absolute(target: String, fields: String, expected: String) async throws {
        try await withServer(answer: {
            .now(.text("\($0.fields.values(of: .host).joined(separator: ",")) \($0.target.path)"))
        }) { fixture in
            let connection = try fixture.connect()
            // The second request has the connection's cached target.
            for _ in 0..<2 {
                #expect(try connection.exchange("GET \(target) HTTP/1.1\r\n\(fields)\r\n").text == expected)
            }
            #expect(try connection.exchange("GET \(target) HTTP/1.1\r\n\r\n").text == "missingHost")
        }
    }

    // MARK: Behaviour of the library

    @Test(
        "the library accepts requests that differ from the grammar and are not ambiguous",
        arguments: [
            // RFC 9112, section 2.2, allows both.
            ("GET / HTTP/1.1\nHost: a\nAccept: b\n\n", "/ b"), ("\r\n\r\n" + get(), "/ none"),
            ("GET   /a HTTP/1.1\r\nHost: a\r\n\r\n", "/a none"),
        ]
    )
    func lenience(request: String, expected: String) async throws {
        try await withServer(answer: { .now(.text("\($0.target.raw) \($0.fields[.accept] ?? "none")")) }) { fixture in
            let connection = try fixture.connect()
            #expect(try connection.exchange(request).text == expected)
        }
    }
}
