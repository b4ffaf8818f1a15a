import Glibc
import Logging
import PhotoLibrary
import PictureCoding
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import UnsplashClient

@Suite("UnsplashClient", .timeLimit(.minutes(1)))
struct UnsplashClientTests {
    @Test(
        "a call has the key and the version, and its answer has the content with its fields, a total up to the limit",
        arguments: [("146831", 146_831), ("9223372036854775807", Total.limit)]
    )
    func page(header: String, total: Int) async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer(
                "[1]",
                fields: [
                    "Link: <https://api.example/photos?page=2>; rel=\"next\"", "X-Total: \(header)",
                    "X-Ratelimit-Limit: 50", "X-Ratelimit-Remaining: 49",
                ]
            )
        }
        let client = try makeClient(server)
        defer { client.stop() }
        let answer = try await client.get("/photos?page=7&per_page=30")
        #expect(answer == LibraryAnswer(Array("[1]".utf8), total: total, hasNext: true, remainingCalls: 49))
        let head = try #require(server.requests.first)
        #expect(head.hasPrefix("GET /photos?page=7&per_page=30 HTTP/1.1\r\n"))
        #expect(head.contains("\r\nAuthorization: Client-ID \(testKey)\r\n"))
        #expect(head.contains("\r\nAccept-Version: v1\r\n"))
    }

    @Test(
        "the field Link may be on several lines, of which any says whether a page follows",
        arguments: [
            (["next", "last"], true), (["preconnect", "next", "preload"], true), (["first", "prev"], false),
            (["preconnect", "preload"], nil), ([], nil),
        ] as [([String], Bool?)]
    )
    func links(relations: [String], hasNext: Bool?) async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer("[1]", fields: relations.map { "Link: <https://api.example/a>; rel=\"\($0)\"" })
        }
        let client = try makeClient(server)
        defer { client.stop() }
        #expect(try await client.get("/photos").hasNext == hasNext)
    }

    @Test("a trailer field says nothing about the answer, whatever its name")
    func trailers() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write(
                "HTTP/1.1 103 Early Hints\r\nX-Total: 5\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nX-Total: 100\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n"
                    + "X-Total: 7\r\nLink: <a>; rel=first\r\nHTTP/1.1: 200\r\nX-Ratelimit-Remaining: 0\r\n\r\n"
            )
        }
        let client = try makeClient(server)
        defer { client.stop() }
        #expect(try await client.get("/photos") == LibraryAnswer(Array("[1]".utf8), total: 100))
    }

    @Test("a wait may be a date")
    func dates() async throws {
        let server = try LoopbackServer { _, connection in
            var (end, date) = (time(nil) + 100, tm())
            gmtime_r(&end, &date)
            let text = String(unsafeUninitializedCapacity: 64) { text in
                text.withMemoryRebound(to: CChar.self) {
                    strftime($0.baseAddress!, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &date)
                }
            }
            connection.answer("", status: "429 X", fields: ["Retry-After: \(text)"])
        }
        let client = try makeClient(server)
        defer { client.stop() }
        guard case .rateLimited(let wait) = await error({ _ = try await client.get("/photos") }) else {
            Issue.record("not limited")
            return
        }
        #expect(.seconds(70)...(.seconds(100)) ~= wait)
    }

    private static let refusedQuery = UpstreamError.invalidQuery(422, "The photo library refuses the query.")
    /// One character of a reader, and 20,000 Unicode scalars.
    private static let marks = String(repeating: "\u{301}", count: 20_000)

    private static func errors(_ errors: [String]) -> String { "{\"errors\":[\(errors.joined(separator: ","))]}" }

    @Test(
        "each status other than 200 has its error",
        arguments: [
            ("401 Unauthorized", "", "{\"errors\":[\"OAuth error\"]}", UpstreamError.credentials),
            ("403 Forbidden", "", "Rate Limit Exceeded", .rateLimited(retryAfter: .seconds(60))),
            ("403 Forbidden", "", "{\"errors\":[\"no permission\"]}", .credentials),
            (
                "403 Forbidden", "X-Ratelimit-Limit: 50\r\nX-Ratelimit-Remaining: 0", "{\"errors\":[]}",
                .counted(.rateLimited(retryAfter: .seconds(60)), remainingCalls: 0)
            ),
            ("429 Too Many Requests", "Retry-After: 17", "", .rateLimited(retryAfter: .seconds(17))),
            ("404 Not Found", "", "{\"errors\":[\"Couldn't find Photo\"]}", .notFound),
            ("410 Gone", "", "{\"errors\":[\"spam for \(testKey)\"]}", .invalidQuery(410, "spam for …")),
            ("422 Unprocessable", "", "no JSON", refusedQuery),
            ("503 Service Unavailable", "", "", .failed(.status(503))),
            ("503 Service Unavailable", "Retry-After: 17", "", .failed(.status(503, retryAfter: .seconds(17)))),
            ("500 Error", "Retry-After: 9999", "", .failed(.status(500, retryAfter: .seconds(3600)))),
            ("302 Found", "Location: http://127.0.0.1:1/", "", .unusable("status 302")),
            ("405 Method Not Allowed", "", "", .refused(405)),
            ("408 Request Timeout", "", "", .refused(408)),
            ("414 URI Too Long", "", "", .invalidQuery(414, "The photo library refuses the query.")),
            ("431 Too Large", "", "{\"errors\":[\"shorter\"]}", .invalidQuery(431, "shorter")),
            ("204 No Content", "", "", .invalid("status 204")),
            ("404 Not Found", "X-Ratelimit-Remaining: 7", "", .counted(.notFound, remainingCalls: 7)),
            // Waits that are no numbers of seconds up to an hour.
            ("429 Too Many Requests", "Retry-After: -1", "", .rateLimited(retryAfter: .seconds(1))),
            ("429 Too Many Requests", "Retry-After: 9223372036854775807", "", .rateLimited(retryAfter: .seconds(3600))),
            ("429 Too Many Requests", "Retry-After: 1e9", "", .rateLimited(retryAfter: .seconds(60))),
            ("429 Too Many Requests", "Retry-After: ٣", "", .rateLimited(retryAfter: .seconds(60))),
            ("429 X", "Retry-After: Wed, 21 Oct 2099 07:28:00 GMT", "", .rateLimited(retryAfter: .seconds(3600))),
            ("429 X", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", "", .rateLimited(retryAfter: .seconds(1))),
            ("429 X", "Retry-After: Wed, 21 Oct", "", .rateLimited(retryAfter: .seconds(60))),
            // The message is among the first of a short document, and short itself.
            ("422 Unprocessable", "", "{\"errors\":[0,\"a \(testKey)\"]}", .invalidQuery(422, "a …")),
            ("422 Unprocessable", "", "{\"errors\":[\"a \(testKey)\u{301}\"]}", .invalidQuery(422, "a …\u{301}")),
            ("422 Unprocessable", "", errors(Array(repeating: "0", count: 100) + ["\"a\""]), refusedQuery),
            ("422 Unprocessable", "", errors(Array(repeating: "\"a\"", count: 20_000)), refusedQuery),
            (
                "422 Unprocessable", "", errors(["\"a\(marks)\""]),
                .invalidQuery(422, "a" + String(repeating: "\u{301}", count: 199))
            ),
        ]
    )
    func statuses(status: String, fields: String, content: String, expected: UpstreamError) async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer(content, status: status, fields: fields.isEmpty ? [] : [fields])
        }
        let client = try makeClient(server)
        defer { client.stop() }
        #expect(await error { _ = try await client.get("/photos?page=1&per_page=30") } == expected)
    }

    @Test("a reset, a truncated response and a refused connection are errors")
    func broken() async throws {
        let server = try LoopbackServer { head, connection in
            if head.contains("per_page") {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[")
            } else {
                connection.reset()
            }
        }
        let client = try makeClient(server)
        defer { client.stop() }
        #expect(await error { _ = try await client.get("/photos?page=1&per_page=30") } == .invalid("truncated"))
        #expect(await error { _ = try await client.get("/photos/x") } == .failed(.connectionLost))
        let nobody = try UnsplashClient(
            UnsplashClient.Configuration(accessKey: "k", apiURL: "http://127.0.0.1:1"),
            logger: .silent
        )
        defer { nobody.stop() }
        #expect(await error { _ = try await nobody.get("/photos/x") } == .failed(.unreachable))
    }

    @Test("each phase has a time-out: the first byte, a pause, and the whole response")
    func timeouts() async throws {
        let server = try LoopbackServer { head, connection in
            if head.contains("/photos/silent") {
                _ = connection.waitForClose()
            } else if head.contains("/photos/stalls") {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
                _ = connection.waitForClose()
            } else {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
                while connection.write(" ") { usleep(50_000) }
            }
        }
        let silence = TransferTimeouts(
            connect: .seconds(1),
            firstByte: .milliseconds(200),
            idle: .milliseconds(300),
            total: .seconds(60)
        )
        let dripping = TransferTimeouts(firstByte: .seconds(60), idle: .seconds(60), total: .milliseconds(700))
        for (id, limits, least) in [("silent", silence, 1190), ("stalls", silence, 290), ("drips", dripping, 690)] {
            let client = try makeClient(server, timeouts: limits)
            defer { client.stop() }
            let start = ContinuousClock.now
            #expect(await error { _ = try await client.get("/photos/\(id)") } == .timedOut)
            let took = ContinuousClock.now - start
            // A busy machine may add to it; the other limits are a minute.
            #expect(took > .milliseconds(least) && took < .seconds(20), "\(id) took \(took)")
        }
    }

    @Test("a cancelled call and its transfer end at once")
    func cancellation() async throws {
        let closed = Lock(false)
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
            let isClosed = connection.waitForClose()
            closed.withLock { $0 = isClosed }
        }
        let client = try makeClient(server)
        defer { client.stop() }
        let call = Task { await error { _ = try await client.get("/photos/x") } }
        try await waitUntil { !server.requests.isEmpty }
        call.cancel()
        #expect(await call.value == .cancelled)
        // The server waits for ten seconds.
        try await waitUntil { closed.withLock({ $0 }) }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await error { _ = try await client.get("/photos/x") }
        }
        #expect(await early.value == .cancelled)
        #expect(server.requests.count == 1)
    }

    @Test("stop ends running transfers and refuses new ones")
    func stops() async throws {
        let server = try LoopbackServer { _, connection in _ = connection.waitForClose() }
        let client = try makeClient(server)
        let call = Task { await error { _ = try await client.get("/photos/x") } }
        try await waitUntil { !server.requests.isEmpty }
        client.stop()
        #expect(await call.value == .cancelled)
        #expect(await error { _ = try await client.get("/photos/x") } == .cancelled)
    }

    @Test("a compressed response is decompressed, up to the limit of its decompressed bytes")
    func compression() async throws {
        let server = try LoopbackServer { head, connection in
            let deflater = Deflater(level: 9, format: .gzip)
            deflater.append(head.contains("page=1&") ? Array("[]".utf8) : [UInt8](repeating: 0x20, count: 200_000))
            connection.answer(deflater.finish(), fields: ["Content-Encoding: gzip"])
        }
        let client = try makeClient(server)
        defer { client.stop() }
        #expect(try await client.get("/photos?page=1&per_page=30").content == Array("[]".utf8))
        #expect(
            await error { _ = try await client.get("/photos?page=2&per_page=30") } == .unusable("content too large")
        )
        #expect(server.requests.allSatisfy { $0.contains("Accept-Encoding: gzip") })
    }

    @Test("endless content and endless fields are refused at their limits")
    func endless() async throws {
        let server = try LoopbackServer { head, connection in
            connection.write("HTTP/1.1 200 OK\r\n")
            if !head.contains("/fields") { connection.write("\r\n") }
            while connection.write("X-Filler: " + String(repeating: "x", count: 1000) + "\r\n") {}
        }
        let client = try makeClient(server)
        defer { client.stop() }
        #expect(await error { _ = try await client.get("/photos/x") } == .unusable("content too large"))
        #expect(await error { _ = try await client.get("/fields") } == .unusable("fields too large"))
        let picture = await error { try await client.picture(at: server.url + "/p", into: Collector()) }
        #expect(picture == .imageRejected(.tooLarge(limit: 50_000)))
    }

    @Test("a target that would change the port of the API gets no key")
    func strangeTarget() async throws {
        let server = try LoopbackServer { _, connection in connection.answer("[]") }
        // The API's port lacks the last digit of the server's, and the target begins with it.
        let client = try UnsplashClient(
            UnsplashClient.Configuration(accessKey: testKey, apiURL: "http://127.0.0.1:\(server.port / 10)"),
            logger: .silent
        )
        defer { client.stop() }
        let refusal = await error { _ = try await client.get("\(server.port % 10)/photos") }
        #expect(refusal == .invalidQuery(400, "The address is not valid."))
        #expect(server.requests.isEmpty)
    }

    @Test("a status below 500 is not the library's fault, be it of the API or of a picture")
    func faults() async throws {
        let server = try LoopbackServer { head, connection in
            let status = head.split(separator: "/status/")[1].prefix(3)
            connection.answer("{\"errors\":[\"a message\"]}", status: "\(status) X")
        }
        let client = try makeClient(server)
        defer { client.stop() }
        for status in 201..<600 {
            let call = await error { _ = try await client.get("/status/\(status)") }
            let url = server.url + "/status/\(status)"
            let picture = await error { try await client.picture(at: url, into: Collector()) }
            for error in [call, picture] {
                #expect(
                    (error?.health == .failure) == !(300..<500 ~= status),
                    "\(status): \(String(describing: error))"
                )
            }
        }
    }

    @Test("a call sends its trace to the API and to the image hosts")
    func trace() async throws {
        let server = try LoopbackServer { head, connection in connection.answer(head.contains("/p1") ? "x" : "[]") }
        let client = try makeClient(server)
        defer { client.stop() }
        let parent = "00-0af7651916cd43dd8448eb211c80319c-00000000000000aa-01"
        try await UpstreamTrace.$current.withValue(UpstreamTrace(parent: parent, state: "vendor=1,other=2")) {
            _ = try await client.get("/photos")
            try await client.picture(at: server.url + "/p1", into: Collector())
        }
        _ = try await client.get("/photos")
        for field in ["traceparent: \(parent)", "tracestate: vendor=1,other=2"] {
            #expect(server.requests.map { $0.contains("\r\n\(field)\r\n") } == [true, true, false])
        }
        #expect(!server.requests[2].lowercased().contains("\r\ntrace"))
    }

    @Test("no log line or error contains the key or the words of a search")
    func secrets() async throws {
        let log = RecordedLog(level: .trace)
        let server = try LoopbackServer { _, connection in connection.reset() }
        let client = try makeClient(server, logger: log.logger)
        defer { client.stop() }
        let failure = await error { _ = try await client.get("/search/photos?query=embarrassing") }
        let text = log.texts.joined() + "\(String(describing: failure))"
        #expect(text.contains("/search/photos"))
        #expect(!text.contains(testKey))
        #expect(!text.contains("embarrassing"))
    }

    @Test("a key or a URL that cannot be sent is refused when the client is created")
    func configuration() {
        let logger = Logger.silent
        for (key, url, expected) in [
            ("a\r\nX: y", "https://api.unsplash.com", UnsplashClient.ConfigurationError.malformedKey),
            ("", "https://api.unsplash.com", .malformedKey), ("k", "api.unsplash.com", .malformedURL),
            ("k", "ftp://api.unsplash.com", .malformedURL), ("k", "https://api.unsplash.com/?a=b", .malformedURL),
        ] {
            #expect(throws: expected) {
                _ = try UnsplashClient(UnsplashClient.Configuration(accessKey: key, apiURL: url), logger: logger)
            }
        }
    }
}
