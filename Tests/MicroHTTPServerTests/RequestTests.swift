import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Primitives
import Synchronization
import TestSupport
import Testing

/// Tests the request that a responder gets.
@Suite struct RequestTests {
    /// Sends bytes and returns the requests that the responder got.
    private func received(_ bytes: [UInt8]) async throws -> Request {
        let seen = Lock<Request?>(nil)
        try await withServer(answer: { request in
            seen.withLock { $0 = request }
            return .now(.text(""))
        }) { fixture in
            let connection = try fixture.connect()
            try connection.send(bytes)
            #expect(try connection.readResponse().status == 200)
        }
        return try #require(seen.withLock { $0 })
    }

    private func received(_ text: String) async throws -> Request {
        try await received(Array(text.utf8))
    }

    @Test(
        "the target is not decoded",
        arguments: [
            "/a%2Fb?c=%20&d=e+f&c", "/%E2%82%AC", "/?", "//a//", "http://a/b?c", "*",
        ]
    )
    func rawTarget(target: String) async throws {
        #expect(try await received(get(target)).target.raw == target)
    }

    @Test(
        "every method is passed on, also an unknown one, and text that is not a token as such a one",
        arguments: [
            "GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "M-SEARCH", "G@T",
        ]
    )
    func method(name: String) async throws {
        let expected = name == "G@T" ? "MALFORMED" : name
        #expect(try await received("\(name) / HTTP/1.1\r\nHost: a\r\n\r\n").method.rawValue == expected)
    }

    @Test("fields with a known name are in order, repeated ones too, without the white space around their values")
    func fields() async throws {
        let text = "Accept: a\r\nX-A: a\r\nRange:  b \t \r\naccept: c\r\nConnection: keep-alive\r\nOrigin:\r\n"
        let request = try await received(get("/", text))
        #expect(request.fields.map(\.name) == [.host, .accept, .range, .accept, .origin])
        #expect(request.fields.map(\.value) == ["a", "a", "b", "c", ""])
    }

    /// A connection has the memory of its last request, and a proxy sends requests of several clients on one connection.
    @Test("a request has nothing of the one before it on its connection", arguments: [false, true])
    func lastRequest(isPromised: Bool) async throws {
        let seen = Lock<(names: [FieldName], content: String)>(([], ""))
        try await withServer(answer: { request in
            seen.withLock { $0 = (request.fields.map(\.name), String(decoding: request.content, as: UTF8.self)) }
            return isPromised ? .later { .text("") } : .now(.text(""))
        }) { fixture in
            let connection = try fixture.connect()
            func send(_ text: String) throws -> (names: [FieldName], content: String) {
                try connection.send(Array(text.utf8))
                #expect(try connection.readResponse().status == 200)
                return seen.withLock { $0 }
            }
            let first = try send("POST / HTTP/1.1\r\nHost: a\r\nAuthorization: b\r\nContent-Length: 3\r\n\r\nabc")
            #expect(first.names == [.host, .authorization] && first.content == "abc")
            let second = try send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nd")
            #expect(second.names == [.host] && second.content == "d")
            let third = try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(third.names == [.host] && third.content.isEmpty)
        }
    }

    @Test("values in UTF-8 and in other encodings are passed on (obs-text, RFC 9110, 5.5)")
    func obsText() async throws {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nETag: \u{FC}\r\nVary: ".utf8) + [0xFC] + Array("\r\n\r\n".utf8)
        let request = try await received(bytes)
        #expect(request.fields[.eTag] == "\u{FC}")
        #expect(request.fields[.vary] == "\u{FFFD}")
    }

    @Test("content is complete, by length and in chunks; a trailer is not among the fields")
    func content() async throws {
        #expect(try await received(post("12345")).content == Array("12345".utf8))
        let chunked = """
            POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\
            3\r\n123\r\n2;extension=x\r\n45\r\n0\r\nAccept: t\r\n\r\n
            """
        let request = try await received(chunked)
        #expect(request.content == Array("12345".utf8))
        #expect(request.fields.map(\.name) == [.host])
    }

    @Test("content may have any bytes, zeros included")
    func binary() async throws {
        let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.count)\r\n\r\n"
        #expect(try await received(Array(head.utf8) + content).content == content)
    }

    @Test("HTTP/1.0 is served without a Host, and the connection closes unless the client requests to keep it")
    func http10() async throws {
        try await withServer { fixture in
            let first = try fixture.connect()
            let closed = try first.exchange("GET / HTTP/1.0\r\n\r\n")
            #expect(closed.text == "hello")
            #expect(closed.closes)
            #expect(first.isClosed())
            let second = try fixture.connect()
            for _ in 0..<2 {
                #expect(try second.exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").text == "hello")
            }
        }
    }

    @Test("a connection is kept, and pipelined requests are answered in order, immediate or asynchronous")
    func pipelined() async throws {
        try await withServer(answer: { request in
            let content = request.target.raw
            return request.target.path.hasSuffix("l") ? .later { .text(content) } : .now(.text(content))
        }) { fixture in
            let connection = try fixture.connect()
            let targets = (0..<20).map { "/\($0)" + ($0 % 3 == 0 ? "l" : "n") }
            try connection.send(targets.map { get($0) }.joined())
            for target in targets {
                #expect(try connection.readResponse().text == target)
            }
            #expect(fixture.statistics.acceptedConnections == 1)
        }
    }

    @Test("a query may have as many parameters as fit into the request line", arguments: [1, 500, 1300])
    func manyParameters(count: Int) async throws {
        let target = "/a?" + (0..<count).map { "\($0 % 10)=%20" }.joined(separator: "&")
        try await withServer(answer: { .now(.text($0.target.raw)) }) { fixture in
            let connection = try fixture.connect()
            for target in [target, "/b?", target, "/c"] {
                #expect(try connection.exchange(get(target)).text == target)
            }
        }
    }

    @Test("repeated targets on a connection, and others of the same length, get their own responses")
    func repeatedTarget() async throws {
        try await withServer(answer: { .now(.text($0.target.raw)) }) { fixture in
            let connection = try fixture.connect()
            for target in ["/a", "/a", "/b", "/a", "/a?", "/a", "/%E2", "/%E2", "/a/b"] {
                #expect(try connection.exchange(get(target)).text == target)
            }
            // The target before it does not matter for a refusal.
            #expect(try connection.exchange(get("/%00")).status == 400)
        }
    }

    @Test("a request that arrives byte by byte is the same request")
    func byteByByte() async throws {
        try await withServer(answer: { .now(.text(String(decoding: $0.content, as: UTF8.self))) }) { fixture in
            let connection = try fixture.connect()
            for byte in Array(post("12345").utf8) { try connection.send([byte]) }
            #expect(try connection.readResponse().text == "12345")
        }
    }
}
