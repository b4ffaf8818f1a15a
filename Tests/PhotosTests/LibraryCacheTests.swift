import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import Synchronization
import TestSupport
import Testing

@testable import PhotoLibrary
@testable import Photos

@Suite("One cache of the library's answers")
struct LibraryCacheTests {
    @Test("a drop-in request and a feed request for the same page make one call together")
    func oneCall() async throws {
        let fixture = try PhotoFixture()
        fixture.library.close()
        async let feed = fixture.get("/v1/photos?limit=30")
        try await waitUntil { fixture.library.calls.count == 1 }
        async let dropIn = fixture.get("/unsplash/photos?per_page=30")
        try await waitUntil { fixture.service.answers.waiters == 2 }
        await fixture.library.openWhenWaiting()
        #expect(try await feed.ids() == (1...30).map { "p\($0)" })
        #expect(try await JSON.parse(dropIn.bytes).array().count == 30)
        #expect(try await dropIn.fields[.cacheStatus] == "photos; fwd=miss; collapsed")
        #expect(fixture.library.calls == ["/photos?page=1&per_page=30"])
    }

    @Test("an answer that was kept for longer than its photos brings them back", arguments: ["p1", "p300"])
    func lostPhotos(id: String) async throws {
        // 256 photos, and answers of eleven pages.
        let fixture = try PhotoFixture(FakeLibrary(photos: 300), answerCacheBytes: 1 << 20)
        _ = try await fixture.get("/unsplash/photos/p300")
        for page in 1...9 { _ = try await fixture.get("/unsplash/photos?page=\(page)&per_page=30") }
        #expect(fixture.service.answers.known(id) == nil)
        _ = try await fixture.get(id == "p1" ? "/v1/photos?limit=30" : "/v1/photos/p300")
        #expect(try await fixture.ask("/v1/photos/\(id)").isNow)
        #expect(fixture.library.calls.count == 10)
    }

    @Test("an answer is kept without the buffer in which it was collected")
    func exactMemory() throws {
        let cache = try PhotoFixture().service.answers
        var content: [UInt8] = []
        content.reserveCapacity(16_384)
        content.append(contentsOf: Array("{}".utf8))
        cache.keep(Timestamped(value: LibraryAnswer(content), fetched: .now), for: "/photos/p1/statistics")
        let kept = try #require(cache.kept("/photos/p1/statistics"))
        #expect(kept.value.content == Array("{}".utf8))
        #expect(kept.value.content.capacity < 64)
    }

    @Test("a page of the drop-in is one of the feed, and the other way round, with its age")
    func sharedAnswers() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/unsplash/photos?per_page=30")
        fixture.wait(.seconds(100))
        let feed = try await fixture.get("/v1/photos?limit=60")
        #expect(try feed.ids().count == 60)
        #expect(feed.fields[.age] == "100")
        #expect(fixture.library.calls == [1, 2].map { "/photos?page=\($0)&per_page=30" })
        let second = try await fixture.get("/unsplash/photos?page=2&per_page=30")
        #expect(second.fields[.cacheStatus] == "photos; hit; ttl=300")
        _ = try await fixture.get("/v1/photos/p7?detail=full")
        #expect(try await fixture.get("/unsplash/photos/p7").fields[.cacheStatus] == "photos; hit; ttl=3600")
        #expect(fixture.library.calls.count == 3)
    }

    @Test("a page of an older list is fetched again before it follows a newer one: no photo is missing")
    func notBefore() async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 200))
        _ = try await fixture.get("/unsplash/photos?page=2&per_page=30")
        fixture.wait(.seconds(100))
        fixture.library.set { $0.numbers.insert(contentsOf: 1001...1010, at: 0) }
        // The second page lacks ten photos that have moved to it.
        let ids = try await fixture.get("/v1/photos?limit=60").ids()
        #expect(ids == (Array(1001...1010) + Array(1...50)).map { "p\($0)" })
        #expect(fixture.library.calls.count == 3)
    }

    @Test("the library's errors with status 200 are errors of the drop-in, and no answer")
    func errorsAsAnswer() async throws {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.document = "{\"errors\":[\"sorry\"]}" }
        for target in ["/unsplash/photos", "/unsplash/photos/p1", "/unsplash/search/photos?query=x", "/v1/photos"] {
            #expect(try await fixture.get(target).status.code == 502, "\(target)")
        }
        fixture.library.set { $0.document = nil }
        fixture.wait(.seconds(10))
        #expect(try await fixture.get("/unsplash/photos").status == .ok)
    }

    @Test("answers, rendered pages and photos stay within the limit of the plan")
    func limit() async throws {
        let limit = 4 << 20
        let fixture = try PhotoFixture(FakeLibrary(photos: 6000), answerCacheBytes: limit, rateLimit: 1000)
        for page in 1...120 {
            #expect(try await fixture.get("/unsplash/photos?page=\(page)&per_page=30").status == .ok)
            #expect(try await fixture.get("/v1/photos?page=\(page)&perPage=30").status == .ok)
        }
        #expect(fixture.library.calls.count == 120)
        #expect(fixture.service.answers.index.withLock(\.cost) <= limit / 4)
        #expect(fixture.service.status.knownPhotos > limit / 4 / 4096)
        let snapshots = fixture.service.feeds.withLock { $0.feeds.peek(.editorial) } ?? []
        #expect((1...limit / 4).contains(snapshots.reduce(0) { $0 + $1.cost }))
        #expect(fixture.service.renderedPages.withLock(\.cost) <= limit / 4)
        _ = try await fixture.get("/unsplash/photos?page=1&per_page=30")
        #expect(fixture.library.calls.count == 121)
    }

    @Test("lists without an answer take no memory, the others are limited, and long texts of photos count")
    func feeds() async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 1), answerCacheBytes: 1 << 20, rateLimit: 1000)
        fixture.library.set { $0.failure = .notFound }
        for number in 1...100 { _ = try await fixture.get("/v1/topics/a\(number)/photos") }
        #expect(fixture.service.feeds.withLock(\.feeds.count) == 0)
        fixture.library.set { $0.failure = nil }
        _ = try await fixture.get("/v1/topics/b0/photos")
        let cost = fixture.service.feeds.withLock(\.feeds.cost)
        for number in 1...100 { _ = try await fixture.get("/v1/topics/b\(number)/photos") }
        #expect(64..<100 ~= fixture.service.feeds.withLock(\.feeds.count))
        #expect((1 << 18) - cost..<1 << 18 ~= fixture.service.feeds.withLock(\.feeds.cost))
        let long = "\"description\":\"\(String(repeating: "\u{1F33B}", count: 2000))\""
        fixture.library.set { $0.document = "[\(PhotoPayloadTests.photo(dropping: ["description"], adding: long))]" }
        _ = try await fixture.get("/v1/topics/c/photos")
        let feed = Feed.topic("c", order: .latest, orientation: nil)
        #expect(fixture.service.feeds.withLock { $0.feeds.peek(feed)?[0].cost } ?? 0 >= cost + 8000)
    }
}
