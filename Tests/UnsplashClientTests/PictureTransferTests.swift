import PhotoLibrary
import Synchronization
import TestSupport
import Testing
import UnsplashClient

@Suite("Pictures through UnsplashClient", .timeLimit(.minutes(1)))
struct PictureTransferTests {
    @Test("a picture is passed on as it arrives, and its request has no key")
    func picture() async throws {
        let bytes = (0..<30_000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try LoopbackServer { _, connection in connection.answer(bytes) }
        let client = try makeClient(server)
        defer { client.stop() }
        let collector = Collector()
        try await client.picture(at: server.url + "/photo-1?ixid=M3w2&w=200", into: collector)
        #expect(collector.bytes == bytes)
        #expect(collector.state.withLock(\.length) == .some(.some(30_000)))
        let head = try #require(server.requests.first)
        #expect(head.hasPrefix("GET /photo-1?ixid=M3w2&w=200 HTTP/1.1\r\n"))
        #expect(!head.contains(testKey) && !head.lowercased().contains("authorization"))
    }

    @Test("a picture is refused because of its host, its declared length, its status, or by its receiver")
    func pictureRefusals() async throws {
        let server = try LoopbackServer { head, connection in
            if head.contains("/large") {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 50001\r\n\r\nx")
                _ = connection.waitForClose()
            } else if head.contains("/gone") {
                connection.answer("We couldn't find that photo", status: "404 Not Found")
            } else {
                connection.answer("x")
            }
        }
        let client = try makeClient(server)
        defer { client.stop() }
        func refusal(_ url: String, _ collector: Collector = Collector()) async -> UpstreamError? {
            let result = await error { try await client.picture(at: url, into: collector) }
            #expect(collector.bytes.isEmpty)
            return result
        }
        #expect(await refusal("http://127.0.0.1:1/x") == .imageRejected(.hostNotAllowed))
        #expect(await refusal("https://evil.example/x") == .imageRejected(.hostNotAllowed))
        #expect(!client.allowsPicture(at: "https://evil.example/x"))
        #expect(!client.allowsPicture(at: "https://user@images.unsplash.com/x"))
        #expect(await refusal("file:///etc/passwd") == .unusable("picture address"))
        #expect(await refusal(server.url + "/large") == .imageRejected(.tooLarge(limit: 50_000)))
        #expect(await refusal(server.url + "/gone") == .notFound)
        let own = UpstreamError.imageRejected(.tooManyPixels(limit: 1))
        #expect(await refusal(server.url + "/x", Collector(refusing: own)) == own)
    }

    @Test(
        "each status of an image host other than 200 has its error",
        arguments: [
            ("304 Not Modified", "", UpstreamError.unusable("status 304")), ("300 X", "", .unusable("status 300")),
            ("404 Not Found", "", .notFound), ("410 Gone", "", .notFound), ("403 Forbidden", "", .refused(403)),
            ("429 X", "Retry-After: 17", .refused(429, retryAfter: .seconds(17))),
            ("503 X", "Retry-After: 17", .failed(.status(503, retryAfter: .seconds(17)))),
            ("503 X", "Retry-After: soon", .failed(.status(503))),
        ]
    )
    func statuses(status: String, field: String, expected: UpstreamError) async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer("", status: status, fields: field.isEmpty ? [] : [field])
        }
        let client = try makeClient(server)
        defer { client.stop() }
        #expect(await error { try await client.picture(at: server.url + "/x", into: Collector()) } == expected)
    }

    @Test("at most three redirects are followed, and only to allowed hosts")
    func redirects() async throws {
        let forbidden = try LoopbackServer { _, connection in connection.answer("secret") }
        let server = try LoopbackServer { head, connection in
            let target =
                if head.hasPrefix("GET /away") {
                    forbidden.url + "/x"
                } else if head.hasPrefix("GET /loop") {
                    "/loop"
                } else {
                    "/end"
                }
            if head.hasPrefix("GET /end") {
                connection.answer("picture")
            } else {
                connection.answer("", status: "302 Found", fields: ["Location: \(target)"])
            }
        }
        let client = try makeClient(server)
        defer { client.stop() }
        let collector = Collector()
        try await client.picture(at: server.url + "/start", into: collector)
        #expect(collector.bytes == Array("picture".utf8))
        for path in ["/away", "/loop"] {
            let refusal = await error { try await client.picture(at: server.url + path, into: Collector()) }
            #expect(refusal == .imageRejected(.redirected), "\(path)")
        }
        #expect(forbidden.requests.isEmpty)
        #expect(server.requests.count { $0.contains("GET /loop") } == 4)
    }

    @Test("a name that resolves to a loopback address is refused before anything is sent")
    func resolvedAddress() async throws {
        let server = try LoopbackServer { _, connection in connection.answer("secret") }
        let hosts = ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"]
        var access = UnsplashClient.Configuration(accessKey: "k")
        access.imageHosts = hosts.map { "\($0):\(server.port)" }
        let client = try UnsplashClient(access, logger: .silent)
        defer { client.stop() }
        for host in hosts {
            let url = "https://\(host):\(server.port)/x"
            let refusal = await error { try await client.picture(at: url, into: Collector()) }
            #expect(refusal == .imageRejected(.addressNotAllowed), "\(host)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("an API at an address that is not allowed is a failure of the library, and no fault of a picture")
    func addressOfAPI() async throws {
        let access = UnsplashClient.Configuration(accessKey: "k", apiURL: "http://10.1.2.3")
        let client = try UnsplashClient(access, logger: .silent)
        defer { client.stop() }
        #expect(await error { _ = try await client.get("/photos") } == .failed(.addressNotAllowed))
    }

    @Test("the length of a picture in chunks is unknown, whatever Content-Length says")
    func lengthAndChunks() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npicture\r\n0\r\n\r\n"
            )
        }
        let client = try makeClient(server)
        defer { client.stop() }
        let collector = Collector()
        try await client.picture(at: server.url + "/x", into: collector)
        #expect(collector.bytes == Array("picture".utf8))
        #expect(collector.state.withLock(\.length) == .some(.none))
    }

    @Test("a negative length in a trailer is ignored")
    func lengthInTrailer() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "0\r\nContent-Length: -5\r\n\r\n"
            )
        }
        let client = try makeClient(server)
        defer { client.stop() }
        let collector = Collector()
        try await client.picture(at: server.url + "/x", into: collector)
        #expect(server.requests.count == 1)
        // The picture began, without a length.
        #expect(collector.state.withLock(\.length) == .some(.none))
    }
}
