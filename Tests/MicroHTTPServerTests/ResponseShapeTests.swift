import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Primitives
import TestSupport
import Testing

/// Tests the framing of responses on persistent connections: the next request must get its own response.
@Suite struct ResponseShapeTests {
    /// Content of each kind: fifteen bytes if it has a length.
    static func content(_ name: Substring) -> Content {
        let bytes = Array("fifteen bytes!!".utf8)
        switch name {
        case "bytes": return .bytes(bytes)
        case "shared": return .shared(SharedBytes(bytes), 0..<bytes.count)
        case "part": return .shared(SharedBytes(Array("--".utf8) + bytes + Array("--".utf8)), 2..<17)
        case "known": return .stream(ScriptedStream(length: bytes.count, [.bytes(bytes), .end]))
        case "unknown": return .stream(ScriptedStream([.bytes(bytes), .end]))
        default: return .none
        }
    }

    /// Responds to `/status/content`.
    static func answer(_ request: Request) -> Reply {
        let parts = request.target.path.split(separator: "/")
        let status = HTTPResponse.Status(code: Int(parts[0]) ?? 0)
        return .now(Response(status: status, fields: [.eTag: "\"1\""], content: content(parts[1])))
    }

    static let kinds = ["none", "bytes", "shared", "part", "known", "unknown"]

    @Test("a GET has the content, by its length or in chunks", arguments: kinds, [200, 404])
    func get(kind: String, status: Int) async throws {
        try await withServer(answer: Self.answer) { fixture in
            let connection = try fixture.connect()
            for _ in 0..<2 {
                let response = try connection.exchange(MicroHTTPServerTests.get("/\(status)/\(kind)"))
                #expect(response.status == status)
                #expect(response.text == (kind == "none" ? "" : "fifteen bytes!!"))
                #expect(response["Content-Length"] == (kind == "unknown" ? nil : kind == "none" ? "0" : "15"))
                #expect(response["Transfer-Encoding"] == (kind == "unknown" ? "chunked" : nil))
                #expect(response["ETag"] == "\"1\"")
                #expect(response["Date"] != nil)
            }
        }
    }

    @Test("a HEAD has the fields of the GET and no content; the connection is kept", arguments: kinds.dropLast())
    func head(kind: String) async throws {
        try await withServer(answer: Self.answer) { fixture in
            let connection = try fixture.connect()
            for _ in 0..<2 {
                let response = try connection.exchange("HEAD /200/\(kind) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(response.status == 200)
                #expect(response["Content-Length"] == (kind == "none" ? "0" : "15"))
                #expect(!response.closes)
            }
            let next = try connection.exchange(MicroHTTPServerTests.get("/200/bytes"))
            #expect(next.text == "fifteen bytes!!")
        }
    }

    @Test("the response to a HEAD of a stream without a length has no last chunk and closes the connection")
    func headOfStream() async throws {
        try await withServer(answer: Self.answer) { fixture in
            let connection = try fixture.connect()
            let response = try connection.exchange("HEAD /200/unknown HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(response.status == 200)
            #expect(response["Content-Length"] == nil)
            #expect(response["Transfer-Encoding"] == nil)
            #expect(response.closes)
            #expect(try connection.readToEnd().isEmpty)
        }
    }

    @Test(
        "a 304 has the length of its representation and no content; the connection is kept",
        arguments: [
            "bytes", "shared", "part", "known",
        ]
    )
    func notModified(kind: String) async throws {
        try await withServer(answer: Self.answer) { fixture in
            let connection = try fixture.connect()
            for _ in 0..<2 {
                let response = try connection.exchange(MicroHTTPServerTests.get("/304/\(kind)"))
                #expect(response.status == 304)
                #expect(response["Content-Length"] == "15")
                #expect(response["ETag"] == "\"1\"")
                #expect(!response.closes)
            }
            let next = try connection.exchange(MicroHTTPServerTests.get("/200/bytes"))
            #expect(next.text == "fifteen bytes!!")
        }
    }

    @Test("a 304 of unknown length has no length of 0", arguments: ["none", "unknown"])
    func notModifiedWithoutLength(kind: String) async throws {
        try await withServer(answer: Self.answer) { fixture in
            let connection = try fixture.connect()
            let response = try connection.exchange(MicroHTTPServerTests.get("/304/\(kind)"))
            #expect(response.status == 304)
            #expect(response["Content-Length"] == nil)
            #expect(response["Transfer-Encoding"] == nil)
            #expect(response.closes)
            #expect(try connection.readToEnd().isEmpty)
        }
    }

    @Test("a 304 to a HEAD is the same", arguments: ["bytes", "known"])
    func notModifiedToHead(kind: String) async throws {
        try await withServer(answer: Self.answer) { fixture in
            let connection = try fixture.connect()
            let response = try connection.exchange("HEAD /304/\(kind) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(response["Content-Length"] == "15")
            #expect(try connection.exchange(MicroHTTPServerTests.get("/200/bytes")).text == "fifteen bytes!!")
        }
    }

    @Test("a 204 has no content and no length; the connection is kept")
    func noContent() async throws {
        try await withServer(answer: Self.answer) { fixture in
            let connection = try fixture.connect()
            for _ in 0..<2 {
                let response = try connection.exchange(MicroHTTPServerTests.get("/204/none"))
                #expect(response.status == 204)
                #expect(response["Content-Length"] == nil)
                #expect(response["Transfer-Encoding"] == nil)
            }
            #expect(try connection.exchange(MicroHTTPServerTests.get("/200/bytes")).text == "fifteen bytes!!")
        }
    }

    @Test("a stream to an HTTP/1.0 client is not chunked and ends with the connection")
    func streamToHTTP10() async throws {
        try await withServer(answer: Self.answer) { fixture in
            let response = try fixture.connect().exchange("GET /200/unknown HTTP/1.0\r\n\r\n")
            #expect(response["Transfer-Encoding"] == nil)
            #expect(response.text == "fifteen bytes!!")
        }
    }

    @Test("the server writes the framing fields, not the response")
    func framingFields() async throws {
        try await withServer(answer: { _ in
            .now(
                Response(
                    fields: [.contentLength: "3", .transferEncoding: "gzip", .connection: "upgrade", .server: "x"],
                    content: .bytes(Array("hello".utf8))
                )
            )
        }) { fixture in
            let response = try fixture.connect().exchange(MicroHTTPServerTests.get())
            #expect(response.text == "hello")
            #expect(response.fields.map(\.name) == ["Date", "Server", "Content-Length"])
        }
    }

    @Test("an interim status closes the connection and counts as a failure", arguments: [100, 0])
    func noAnswer(status: Int) async throws {
        try await withServer(answer: { _ in .now(Response(status: .init(code: status))) }) { fixture in
            let connection = try fixture.connect()
            try connection.send(MicroHTTPServerTests.get())
            #expect(try connection.readToEnd().isEmpty)
            #expect(eventually { fixture.statistics.exchanges[.failed] == 1 })
        }
    }

    @Test("a field in UTF-8 is sent unchanged")
    func utf8Field() async throws {
        try await withServer(answer: { _ in .now(Response(fields: [.server: "h\u{F6}"])) }) { fixture in
            let connection = try fixture.connect()
            #expect(try connection.exchange(MicroHTTPServerTests.get())["Server"] == "h\u{F6}")
        }
    }

    @Test("an asynchronous response has the same framing", arguments: ["GET", "HEAD"])
    func later(method: String) async throws {
        try await withServer(answer: { request in
            guard case .now(let response) = Self.answer(request) else { return .now(.text("")) }
            return .later { response }
        }) { fixture in
            let connection = try fixture.connect()
            for kind in Self.kinds.dropLast() {
                let response = try connection.exchange("\(method) /200/\(kind) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(response["Content-Length"] == (kind == "none" ? "0" : "15"))
            }
        }
    }
}
