import HTTPExchange
import HTTPTypes
import ServiceHarness
import Testing

@Suite("Requests from pages of other sites", .timeLimit(.minutes(1)))
struct CrossSiteTests {
    private static let other: Fields = [.secFetchSite: "cross-site", .referer: "https://other.example/page"]
    /// A request of each operation that can cause a call or a transfer, with its content.
    private static let requests: [(HTTPRequest.Method, String, String)] = [
        (.get, "/v1/photos", ""), (.get, "/v1/search/photos?query=a", ""), (.get, "/v1/topics/t/photos", ""),
        (.get, "/v1/collections/1/photos", ""), (.get, "/v1/photos/p1", ""), (.get, "/v1/photos/p1?detail=full", ""),
        (.get, "/v1/photos/p1/image", ""), (.get, "/v1/photos/p1/image/thumb", ""),
        (.get, "/v1/photos/p1/placeholder.png", ""), (.post, "/v1/photos/p1/download", ""),
        (.post, "/v1/photos/prefetch", "{\"ids\":[\"p1\"]}"), (.get, "/unsplash/photos", ""),
        (.get, "/unsplash/photos/random", ""), (.get, "/unsplash/photos/p1", ""),
        (.get, "/unsplash/photos/p1/download", ""), (.get, "/unsplash/search/photos?query=a", ""),
        (.get, "/unsplash/topics", ""), (.get, "/unsplash/topics/t", ""), (.get, "/unsplash/topics/t/photos", ""),
        (.get, "/unsplash/collections/1/photos", ""),
    ]

    @Test("no operation calls the library for a page of an origin that is not allowed", arguments: requests)
    func refused(method: HTTPRequest.Method, target: String, content: String) async throws {
        let fixture = try PhotoFixture(origins: ["https://app.example"])
        let refusal = try await fixture.ask(target, method: method, fields: Self.other, content: content).response
        #expect(refusal.status == .forbidden)
        #expect(String(decoding: refusal.bytes, as: UTF8.self).contains("SPRINGBAR_CORS_ORIGINS"))
        await fixture.settle()
        #expect(fixture.library.calls.isEmpty && fixture.library.pictureCalls.isEmpty)
        // The same request of a page that is allowed.
        for fields: Fields in [
            [.secFetchSite: "cross-site", .origin: "https://app.example"],
            [.secFetchSite: "cross-site", .referer: "https://app.example/"], [:],
            [.secFetchSite: "same-site", .origin: "http://other.example"], [.origin: "https://app.example"],
        ] {
            let fixture = try PhotoFixture(origins: ["https://app.example"])
            let answer = try await fixture.ask(target, method: method, fields: fields, content: content)
            #expect([200, 202].contains(answer.response.status.code))
        }
    }

    @Test(
        "without Sec-Fetch-Site, as over plain HTTP, the host of the page decides",
        arguments: [
            ([.origin: "http://other.example"], false), ([.referer: "http://other.example/page"], false),
            ([.origin: "null"], false), ([.referer: "http://service.example.evil:8080/"], false),
            ([.origin: "http://other.example", .referer: "http://service.example/"], false),
            ([.origin: "http://service.example:8080"], true), ([.referer: "https://service.example/page"], true),
            ([.origin: "https://public.example"], true), ([.origin: "https://app.example"], true),
            ([.host: "[::1]:8080", .referer: "http://[::1]:3000/a:b"], true),
            ([.host: "[::1]:8080", .referer: "http://[::2]:8080/"], false),
        ] as [(Fields, Bool)]
    )
    func withoutMark(fields: Fields, isAnswered: Bool) async throws {
        let fixture = try PhotoFixture(publicURL: "https://public.example/photos", origins: ["https://app.example"])
        var fields = fields
        fields[.host] = fields[.host] ?? "service.example:8080"
        for (method, target) in [(HTTPRequest.Method.get, "/v1/photos"), (.post, "/v1/photos/p1/download")] {
            let status = try await fixture.ask(target, method: method, fields: fields).response.status
            #expect((status != .forbidden) == isAnswered, "\(target)")
        }
        await fixture.settle()
        #expect(fixture.library.calls.isEmpty == !isAnswered)
    }

    @Test("what is in memory is served, also when it is stale, without a call")
    func cached() async throws {
        let fixture = try PhotoFixture()
        let targets = ["/v1/photos", "/v1/photos/p1?detail=full", "/v1/photos/p1/image/thumb", "/unsplash/photos"]
        for target in targets { _ = try await fixture.get(target) }
        await fixture.settle()
        let calls = fixture.library.calls
        for wait in [Duration.zero, .seconds(400), .seconds(7200)] {
            fixture.wait(wait)
            for target in targets { #expect(try await fixture.get(target, fields: Self.other).status == .ok) }
            await fixture.settle()
        }
        #expect(fixture.library.calls == calls && fixture.library.pictureCalls.count == 1)
        // A page that is refused does not end the fetch of another client.
        fixture.wait(.seconds(86_400))
        #expect(try await fixture.get("/unsplash/photos", fields: Self.other).status == .forbidden)
        #expect(try await fixture.get("/unsplash/photos").status == .ok)
    }

    @Test("an origin that only begins like an allowed one is not allowed, and any is with *")
    func origins() async throws {
        let fixture = try PhotoFixture(origins: ["https://app.example"])
        for name: FieldName in [.origin, .referer] {
            let fields: Fields = [.secFetchSite: "cross-site", name: "https://app.example.evil"]
            #expect(try await fixture.get("/v1/photos", fields: fields).status == .forbidden)
        }
        let open = try PhotoFixture(origins: ["*"])
        #expect(try await open.get("/v1/photos", fields: Self.other).status == .ok)
    }
}
