import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Primitives
import TestSupport
import Testing

/// Tests the framing of responses on persistent connections: the next request must get its own response.
@Suite struct ResponseShapeTests {
    /// Content of each kind: fifteen bytes if it has a length.
    private static func content(_ name: Substring) -> Content {
        let bytes = Array("fifteen bytes!!".utf8)
        switch name {
        case "bytes": return .bytes(bytes)
        case "shared": return .shared(SharedBytes(bytes), 0..<bytes.count)
        case "part": return .shared(SharedBytes(Array("--".utf8) + bytes + Array("--".utf8)), 2..<17)
        case "empty": return .shared(SharedBytes([1]), 1..<1)
        case "known": return .stream(ScriptedStream(length: bytes.count, [.bytes(bytes), .end]))
        case "unknown": return .stream(ScriptedStream([.bytes(bytes), .end]))
        default: return .none
        }
    }

    /// Responds to `/status/content`, and later to `/status/content?`.
    private static func answer(_ request: Request) -> Reply {
        let parts = request.target.path.split(separator: "/")
        let status = HTTPResponse.Status(code: Int(parts[0]) ?? 0)
        let response = Response(status: status, fields: [.eTag: "\"1\""], content: content(parts[1]))
        return request.target.query == nil ? .now(response) : .later { response }
    }

    /// The end of a response.
    enum Framing: Equatable, Sendable {
        case length(Int)
        case chunks
        /// The head, as for every 204.
        case head
        /// The connection.
        case close
    }

    private static let ofKnownLength = ["bytes", "shared", "part", "known"]

    @Test(
        "a response ends as its method, its status and its content need, and the next request gets its own response",
        arguments: [
            ("GET", 200, ofKnownLength, .length(15)), ("GET", 404, ofKnownLength, .length(15)),
            ("GET", 200, ["none", "empty"], .length(0)), ("GET", 404, ["none"], .length(0)),
            ("GET", 200, ["unknown"], .chunks), ("GET", 404, ["unknown"], .chunks), ("GET", 204, ["none"], .head),
            // The length of the representation, and no content.
            ("HEAD", 200, ofKnownLength, .length(15)), ("HEAD", 200, ["none"], .length(0)),
            ("GET", 304, ofKnownLength, .length(15)), ("HEAD", 304, ["bytes", "known"], .length(15)),
            // An unknown length is not 0, and a HEAD has no last chunk.
            ("HEAD", 200, ["unknown"], .close), ("GET", 304, ["none", "unknown"], .close),
        ] as [(String, Int, [String], Framing)]
    )
    func framing(method: String, status: Int, kinds: [String], framing: Framing) async throws {
        let isBare = method == "HEAD" || status == 304 || framing == .length(0) || framing == .head
        let length: String? = if case .length(let length) = framing { "\(length)" } else { nil }
        try await withServer(answer: Self.answer) { fixture in
            for target in kinds.flatMap({ ["/\(status)/\($0)", "/\(status)/\($0)?"] }) {
                let connection = try fixture.connect()
                let request = "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
                for _ in 0..<(framing == .close ? 1 : 2) {
                    let response = try connection.exchange(request)
                    #expect(response.status == status, "\(target)")
                    #expect(response.text == (isBare ? "" : "fifteen bytes!!"), "\(target)")
                    #expect(response["Content-Length"] == length, "\(target)")
                    #expect(response["Transfer-Encoding"] == (framing == .chunks ? "chunked" : nil), "\(target)")
                    #expect(response["ETag"] == "\"1\"" && response["Date"] != nil, "\(target)")
                    #expect(response.closes == (framing == .close), "\(target)")
                }
                if framing == .close {
                    #expect(try connection.readToEnd().isEmpty, "\(target)")
                } else {
                    #expect(try connection.exchange(get("/200/bytes")).text == "fifteen bytes!!", "\(target)")
                }
            }
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

    @Test("the server writes the framing fields, not the response, and sends others unchanged, also in UTF-8")
    func framingFields() async throws {
        try await withServer(answer: { _ in
            .now(
                Response(
                    fields: [
                        .contentLength: "3", .transferEncoding: "gzip", .connection: "upgrade", .server: "h\u{F6}",
                    ],
                    content: .bytes(Array("hello".utf8))
                )
            )
        }) { fixture in
            let response = try fixture.connect().exchange(get())
            #expect(response.text == "hello")
            #expect(response.fields.map(\.name) == ["Date", "Server", "Content-Length"])
            #expect(response["Server"] == "h\u{F6}")
        }
    }

    @Test("an interim status closes the connection and counts as a failure", arguments: [100, 0])
    func noAnswer(status: Int) async throws {
        try await withServer(answer: { _ in .now(Response(status: .init(code: status))) }) { fixture in
            let connection = try fixture.connect()
            try connection.send(get())
            #expect(try connection.readToEnd().isEmpty)
            #expect(eventually { fixture.statistics.exchanges[.failed] == 1 })
        }
    }
}
