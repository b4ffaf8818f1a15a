import HTTPExchange
import HTTPTypes
import JSON
import Photos
import Primitives
import ServiceHarness
import TestSupport
import Testing

@Suite("Searches, placeholders, downloads and prefetches")
struct PhotoActionsTests {
    @Test(
        "searches, topics and collections have pages of the same shape, and each has its own feed",
        arguments: [
            ("/v1/search/photos?query=frog", "/search/photos?page=1&per_page=30&query=frog"),
            ("/v1/topics/animals/photos", "/topics/animals/photos?page=1&per_page=30"),
            (
                "/v1/search/photos?query=%20tree+%20frog&orientation=portrait&color=black_and_white&orderBy=latest&contentFilter=high",
                "/search/photos?color=black_and_white&content_filter=high&order_by=latest&orientation=portrait"
                    + "&page=1&per_page=30&query=tree%20frog"
            ),
            ("/v1/topics/animals/photos?orderBy=popular", "/topics/animals/photos?order_by=popular&page=1&per_page=30"),
            (
                "/v1/collections/42/photos?orientation=squarish",
                "/collections/42/photos?orientation=squarish&page=1&per_page=30"
            ),
        ]
    )
    func feeds(target: String, call: String) async throws {
        let fixture = try PhotoFixture()
        let first = try await fixture.get(target)
        #expect(try first.ids() == (1...10).map { "p\($0)" })
        #expect(fixture.library.calls == [call])
        let link = try #require(first.fields[.link])
        let next = try #require(link.split(separator: "<").first { $0.contains("rel=\"next\"") })
        let nextTarget = try #require(next.split(separator: ">").first)
        #expect(try await fixture.get(String(nextTarget)).ids() == (11...20).map { "p\($0)" })
        #expect(fixture.library.calls.count == 1)
        let cursor = try first.page()["nextCursor"].string()
        #expect(try await fixture.get("/v1/photos?cursor=\(cursor)").status == .badRequest)
    }

    @Test("a placeholder has the requested size, else the shape of the photo", arguments: [true, false])
    func placeholder(isBlurred: Bool) async throws {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.hasBlurHashes = isBlurred }
        _ = try await fixture.get("/v1/photos")
        for (query, width, height) in [
            ("", 32, 24), ("?w=8", 8, 6), ("?h=6", 8, 6), ("?w=5&h=64", 5, 64), ("?w=1", 1, 1), ("?w=64&h=64", 64, 64),
        ] {
            let (isNow, response) = try await fixture.ask("/v1/photos/p1/placeholder.png\(query)")
            #expect(isNow)
            #expect(response.fields[.contentType] == "image/png")
            #expect(response.fields[.xContentTypeOptions] == "nosniff")
            guard case .header(let header) = PictureHeader.read(response.bytes) else { return #expect(Bool(false)) }
            #expect(header.type == .png && header.size == PixelSize(width: width, height: height))
            #expect(response.bytes.count < 13_000)
        }
        #expect(try await fixture.get("/v1/photos/p1/placeholder.png?w=65").status.code == 422)
        #expect(try await fixture.get("/v1/photos/missing/placeholder.png").status == .notFound)
    }

    private func prefetch(_ fixture: PhotoFixture, _ content: String) async throws -> Response {
        try await fixture.ask("/v1/photos/prefetch", method: .post, content: content).response
    }

    @Test("a prefetch fills the cache, one picture after the other")
    func prefetches() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        let response = try await prefetch(fixture, "{\"ids\":[\"p1\",\"p2\",\"missing\",\"p3\"],\"variant\":\"thumb\"}")
        #expect(response.status == .accepted)
        #expect(try response.object()["accepted"].integer() == 4)
        await fixture.settle()
        #expect(fixture.library.pictureCalls.count == 3)
        #expect(fixture.library.calls == ["/photos?page=1&per_page=30", "/photos/missing"], "the others are known")
        for photo in ["p1", "p2", "p3"] {
            #expect(try await fixture.ask("/v1/photos/\(photo)/image/thumb").isNow)
        }
    }

    @Test("one client has two prefetches at once, and all together have four")
    func prefetchShare() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        fixture.library.close()
        func prefetch(_ photo: Int, from client: String) async throws -> Response {
            let content = Array("{\"ids\":[\"p\(photo)\"]}".utf8)
            let fields: Fields = [.contentType: "application/json"]
            let target = Target("/v1/photos/prefetch")
            return try await fixture.application.respond(
                to: Request(method: .post, target: target, fields: fields, content: content, from: client)
            ).value()
        }
        for photo in 1...4 {
            #expect(try await prefetch(photo, from: "192.0.2.\((photo + 1) / 2)").status == .accepted)
            guard photo == 2 else { continue }
            let own = try await prefetch(3, from: "192.0.2.1")
            #expect(own.code == "too-many-requests" && own.fields[.retryAfter] == "5")
        }
        let other = try await prefetch(5, from: "192.0.2.3")
        #expect(other.code == "overloaded" && other.fields[.retryAfter] == "5")
        fixture.library.open()
        await fixture.settle()
        for client in 1...3 {
            #expect(try await prefetch(6, from: "192.0.2.\(client)").status == .accepted)
            await fixture.settle()
        }
    }

    @Test("if clients are redirected to pictures, a prefetch fetches only their photos")
    func prefetchOfRedirects() async throws {
        let fixture = try PhotoFixture(imageMode: .redirect)
        #expect(try await prefetch(fixture, "{\"ids\":[\"p1\"]}").status == .accepted)
        try await waitUntil { fixture.library.calls == ["/photos/p1"] }
        await fixture.settle()
        #expect(fixture.library.pictureCalls.isEmpty)
    }

    @Test("a prefetch is refused if the remaining calls are reserved for clients")
    func prefetchBudget() async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 900), rateLimit: 10)
        for page in 1...3 { _ = try await fixture.get("/v1/photos?page=\(page)&perPage=30") }
        let response = try await prefetch(fixture, "{\"ids\":[\"p1\"]}")
        #expect(response.status.code == 429)
        #expect(response.fields[.retryAfter] == "2800")
        #expect(try response.object()["type"].string() == "/problems/budget-low")
        #expect(fixture.library.pictureCalls.isEmpty)
    }

    @Test(
        "an invalid prefetch is refused with the pointer of its fault, and fetches nothing",
        arguments: [
            ("{}", "/ids"), ("{\"ids\":[]}", "/ids"), ("{\"ids\":[1]}", "/ids/0"),
            ("{\"ids\":[\"p1\"],\"variant\":\"huge\"}", "/variant"),
            ("{\"ids\":[\"p1\"],\"size\":1}", "/size"), ("[", ""),
        ]
            + ["..", ".", "a/b", "..#x", "", "a b", "random", "%2e%2e"].map { id in
                ("{\"ids\":[\"p1\",\"\(id)\"]}", "/ids/1")
            }
    )
    func prefetchRefusals(content: String, pointer: String) async throws {
        let fixture = try PhotoFixture()
        let response = try await prefetch(fixture, content)
        #expect(response.status.code == (pointer.isEmpty ? 400 : 422))
        #expect(response.pointer == pointer)
        #expect(fixture.service.status.flights == 0 && fixture.library.calls.isEmpty)
    }
}
