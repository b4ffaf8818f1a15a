import HTTPExchange
import HTTPTypes
import JSON
import PhotoLibrary
import Photos
import Primitives
import ServiceHarness
import TestSupport
import Testing

@Suite("Pages of photos")
struct PhotoPagesTests {
    @Test("a page has every member of the contract, in its order")
    func members() async throws {
        let fixture = try PhotoFixture()
        let response = try await fixture.get("/v1/photos?limit=1")
        #expect(response.status == .ok)
        #expect(response.fields[.contentType] == "application/json")
        let root = try response.object()
        #expect(root.map(\.name) == ["items", "page"])
        let photo = try root.required("items").array()[0].object()
        #expect(
            photo.map(\.name) == [
                "id", "slug", "width", "height", "aspectRatio", "description", "descriptionSource", "color", "blurHash",
                "placeholder", "images", "hotlinks", "attribution", "user", "createdAt", "likes", "sponsored",
                "premium",
            ]
        )
        #expect(try photo["images"].object().map(\.name) == ["thumb", "small", "regular", "full"])
        let thumb = try photo["images"].object()["thumb"].object()
        #expect(try thumb["url"].string() == "/v1/photos/p1/image/thumb")
        #expect(try thumb["width"].integer() == 200)
        #expect(try thumb["height"].integer() == 150)
        #expect(try photo["hotlinks"].object().map(\.name) == ["raw", "full", "regular", "small", "thumb"])
        #expect(try photo["hotlinks"].object()["raw"].string().hasPrefix("https://images.example/p1?ixid="))
        #expect(
            try photo["attribution"].object().map(\.name) == ["text", "html", "photographerUrl", "unsplashUrl"]
        )
        #expect(try photo["aspectRatio"].double() == 1.3333)
        let placeholder = try photo["placeholder"].string()
        // Short enough for a list of thirty, and a PNG by its first bytes.
        #expect(placeholder.utf8.count < 200 && placeholder.hasPrefix("data:image/png;base64,iVBOR"))
        #expect(
            try response.page().map(\.name) == [
                "nextCursor", "previousCursor", "hasMore", "totalEstimate", "ageSeconds", "stale",
                "removedDuplicates",
            ]
        )
        #expect(try response.page()["totalEstimate"].integer() == 90)
    }

    @Test("pages of ten cost one call of thirty, and cached ones are immediate")
    func slices() async throws {
        let fixture = try PhotoFixture()
        let first = try await fixture.ask("/v1/photos")
        #expect(!first.isNow)
        #expect(try first.response.ids() == (1...10).map { "p\($0)" })
        #expect(first.response.fields[.cacheStatus] == "photos; fwd=miss; stored")
        var cursor = try first.response.page()["nextCursor"].string()
        for start in [11, 21] {
            let next = try await fixture.ask("/v1/photos?cursor=\(cursor)")
            #expect(next.isNow)
            #expect(try next.response.ids() == (start..<start + 10).map { "p\($0)" })
            #expect(next.response.fields[.cacheStatus] == "photos; hit; ttl=300")
            cursor = try next.response.page()["nextCursor"].string()
        }
        #expect(fixture.library.calls == ["/photos?page=1&per_page=30"])
    }

    @Test("links lead to first, prev and next on the service's paths and keep other parameters; next has a cursor")
    func links() async throws {
        let fixture = try PhotoFixture()
        let numbered = try await fixture.get("/v1/photos?page=2&perPage=20&sponsored=exclude")
        let cursor = try numbered.page()["nextCursor"].string()
        #expect(
            numbered.fields[.link] == """
                </v1/photos?sponsored=exclude&page=1&perPage=20>; rel="first", \
                </v1/photos?sponsored=exclude&page=1&perPage=20>; rel="prev", \
                </v1/photos?sponsored=exclude&cursor=\(cursor)&limit=20>; rel="next"
                """
        )
        let last = try await fixture.get("/v1/photos?page=9&perPage=10")
        #expect(try last.page()["hasMore"].bool() == false)
        #expect(try last.page()["nextCursor"].isNull)
        #expect(last.fields[.link]?.contains("next") == false)
    }

    @Test("prev leads to the previous slice")
    func previous() async throws {
        let fixture = try PhotoFixture()
        let first = try await fixture.get("/v1/photos?limit=7")
        #expect(first.fields[.link]?.contains("prev") == false)
        let second = try await fixture.get("/v1/photos?limit=7&cursor=\(first.page()["nextCursor"].string())")
        let link = try #require(second.fields[.link])
        let previous = try #require(link.split(separator: "<").first { $0.contains("rel=\"prev\"") })
        let target = try #require(previous.split(separator: ">").first)
        #expect(try await fixture.get(String(target)).ids() == first.ids())
        // The document has both cursors, for lists that start again in their middle.
        #expect(try first.page()["previousCursor"].isNull)
        let before = try await fixture.get("/v1/photos?limit=7&cursor=\(second.page()["previousCursor"].string())")
        #expect(try before.ids() == first.ids())
        let numbered = try await fixture.get("/v1/photos?page=3&perPage=10").page()["previousCursor"].string()
        #expect(try await fixture.get("/v1/photos?cursor=\(numbered)").ids() == (11...20).map { "p\($0)" })
    }

    @Test("excluded photos are omitted, and others fill the page")
    func filters() async throws {
        let fixture = try PhotoFixture()
        let response = try await fixture.get("/v1/photos?limit=30&sponsored=exclude")
        #expect(try response.ids() == (1...33).filter { !$0.isMultiple(of: 10) }.map { "p\($0)" })
    }

    @Test("excluded photos leave a page by number short, so that the next one repeats none")
    func filteredPages() async throws {
        let fixture = try PhotoFixture()
        for page in 1...4 {
            let response = try await fixture.get("/v1/photos?page=\(page)&perPage=25&sponsored=exclude")
            let numbers = (25 * page - 24...min(90, 25 * page)).filter { !$0.isMultiple(of: 10) }
            #expect(try response.ids() == numbers.map { "p\($0)" })
            guard page < 4 else { continue }
            let cursor = try response.page()["nextCursor"].string()
            let next = try await fixture.get("/v1/photos?cursor=\(cursor)&limit=1")
            #expect(try next.ids() == ["p\(25 * page + 1)"])
        }
    }

    @Test("duplicates are dropped and counted, and other photos fill the page")
    func duplicates() async throws {
        let library = FakeLibrary()
        library.set { $0.numbers = [1, 2, 2, 3, 3] + Array(4...90) }
        let fixture = try PhotoFixture(library)
        let response = try await fixture.get("/v1/photos?limit=40")
        #expect(try response.ids() == (1...40).map { "p\($0)" })
        #expect(try response.page()["removedDuplicates"].integer() == 2)
        #expect(try await fixture.get("/v1/photos?page=4&perPage=10").ids() == (31...40).map { "p\($0)" })
    }

    @Test(
        "a malformed query is 400, a value out of range 422, and the library is not called",
        arguments: [
            ("photos?limit=0", 422), ("photos?limit=101", 422), ("photos?limit=x", 400), ("photos?perPage=0", 422),
            ("photos?page=0", 422), ("photos?page=1&limit=10", 400), ("photos?page=1&cursor=x", 400),
            ("photos?cursor=x", 400), ("photos?cursor=", 400), ("photos?limt=10", 400), ("photos?limit=1&limit=1", 400),
            ("photos?sponsored=no", 422), ("search/photos", 400), ("search/photos?query=", 400),
            ("search/photos?query=%20", 422), ("search/photos?query=x&color=mauve", 422),
            ("search/photos?query=x&orientation=round", 422), ("photos/p1?detail=some", 422),
            ("photos/" + String(repeating: "x", count: 257), 404), ("photos/p1/image/huge", 404),
            ("photos/p1/image/thumb?w=200", 400), ("photos/p1/image?w=0", 422), ("photos/p1/image?w=2401", 422),
            ("photos/p1/image?w=x", 400), ("photos/p1/image?dpr=9", 422), ("photos/p1/image?q=101", 422),
            ("photos/p1/image?fit=stretch", 422), ("photos/p1/image?fm=tiff", 422), ("photos/p1/image?width=200", 400),
        ]
    )
    func refusals(target: String, status: Int) async throws {
        let fixture = try PhotoFixture()
        #expect(try await fixture.get("/v1/\(target)").status.code == status)
        #expect(fixture.library.calls.isEmpty && fixture.library.pictureCalls.isEmpty)
    }

    @Test("the bytes and their tag change once a minute, until then a conditional request is 304; Age has the seconds")
    func conditional() async throws {
        let fixture = try PhotoFixture()
        let first = try await fixture.get("/v1/photos")
        let tag = try #require(first.fields[.eTag])
        for (age, minutes) in [(7, 0), (59, 0), (60, 1), (119, 1), (299, 4)] {
            let again = try await aged(age, fixture, fields: [.ifNoneMatch: tag])
            #expect(again.status == (minutes == 0 ? .notModified : .ok))
            #expect(again.fields[.age] == "\(age)")
            #expect(again.fields[.cacheStatus] == "photos; hit; ttl=\(300 - age)")
            let whole = try await fixture.get("/v1/photos")
            #expect(try whole.page()["ageSeconds"].integer() == 60 * minutes)
            #expect((whole.fields[.eTag] == tag) == (minutes == 0))
            #expect((whole.bytes == first.bytes) == (minutes == 0))
        }
    }

    /// Returns the response when the first page has an age.
    private func aged(_ seconds: Int, _ fixture: PhotoFixture, fields: Fields) async throws -> Response {
        let age = try await fixture.get("/v1/photos").fields[.age].flatMap { Int($0) } ?? 0
        fixture.wait(.seconds(seconds - age))
        return try await fixture.get("/v1/photos", fields: fields)
    }

    @Test("a cached document is written again when the pages around it have arrived")
    func rewritten() async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 200))
        let cursor = try await fixture.get("/v1/photos?page=3&perPage=30").page()["nextCursor"].string()
        let target = "/v1/photos?limit=45&cursor=\(cursor)"
        let first = try await fixture.get(target)
        #expect(try first.ids() == (91...135).map { "p\($0)" })
        #expect(first.fields[.link]?.contains("rel=\"prev\"") == false, "the page before the last one is not there yet")
        #expect(try await fixture.ask(target).isNow)
        _ = try await fixture.get("/v1/photos?page=2&perPage=30")
        let again = try await fixture.ask(target)
        #expect(again.isNow)
        #expect(again.response.fields[.link]?.contains("rel=\"prev\"") == true)
        #expect(try again.response.ids() == first.ids())
    }

    @Test("a page of the feed has the same bytes for every form of its request, with links in the form of the request")
    func names() async throws {
        let fixture = try PhotoFixture()
        let counted = try await fixture.get("/v1/photos?page=1&perPage=10")
        for _ in 0..<2 {
            let scrolled = try await fixture.ask("/v1/photos?limit=10")
            #expect(scrolled.isNow)
            #expect(scrolled.response.bytes == counted.bytes)
            #expect(scrolled.response.fields[.link]?.hasPrefix("</v1/photos?limit=10>; rel=\"first\"") == true)
        }
        let filtered = try await fixture.get("/v1/photos?limit=10&sponsored=exclude")
        #expect(filtered.bytes != counted.bytes)
    }

    @Test("after five minutes a page is stale, served at once, and renewed after the response")
    func revalidates() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        fixture.library.set { $0.numbers.insert(1000, at: 0) }
        fixture.wait(.seconds(301))
        let stale = try await fixture.ask("/v1/photos")
        #expect(stale.isNow)
        #expect(try stale.response.page()["stale"].bool())
        #expect(stale.response.fields[.cacheControl] == "no-cache")
        try await waitUntil { fixture.library.calls.count >= 2 && fixture.service.status.flights == 0 }
        let fresh = try await fixture.ask("/v1/photos")
        #expect(fresh.isNow)
        #expect(try fresh.response.ids().first == "p1000")
        #expect(try fresh.response.page()["stale"].bool() == false)
    }

    @Test("at an exhausted limit a known page is 200 and stale, an unknown one 503, until a probe succeeds")
    func limitUsedUp() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        fixture.library.set { $0.failure = .rateLimited(retryAfter: .seconds(60)) }
        fixture.wait(.seconds(3601))
        let stale = try await fixture.get("/v1/photos")
        #expect(stale.status == .ok)
        #expect(try stale.page()["stale"].bool())
        #expect(stale.fields[.cacheStatus] == "photos; fwd=stale; fwd-status=403; detail=rate-limited")
        let cold = try await fixture.get("/v1/photos?page=3&perPage=30")
        #expect(cold.status.code == 503)
        #expect(cold.fields[.retryAfter] == "60")
        #expect(try cold.object()["type"].string() == "/problems/upstream-rate-limited")
        let calls = fixture.library.calls.count
        fixture.library.set { $0.failure = nil }
        #expect(try await fixture.get("/v1/photos?page=3&perPage=30").status.code == 503)
        #expect(fixture.library.calls.count == calls, "no call before the probe")
        fixture.wait(.seconds(60))
        #expect(try await fixture.get("/v1/photos?page=3&perPage=30").status.code == 200)
    }

    @Test("a cursor stays valid after a failed page, and no photo is missing afterwards")
    func failedPage() async throws {
        let fixture = try PhotoFixture()
        let first = try await fixture.get("/v1/photos?limit=30")
        let next = "/v1/photos?limit=30&cursor=" + (try first.page()["nextCursor"].string())
        fixture.library.set { $0.failure = .failed(.status(500)) }
        let failed = try await fixture.get(next)
        #expect(failed.status.code == 502)
        #expect(failed.fields[.cacheControl] == "no-store")
        fixture.library.set { $0.failure = nil }
        fixture.wait(.seconds(6))
        #expect(try await fixture.get(next).ids() == (31...60).map { "p\($0)" })
    }

    @Test(
        "each failure of the library has its status and code, and in the drop-in the library's status and form",
        arguments: [
            (UpstreamError.credentials, 502, "upstream-credentials", 502), (.notFound, 404, "photo-not-found", 404),
            (.invalidQuery(410, "spam"), 400, "invalid-query", 410), (.timedOut, 504, "upstream-timeout", 504),
            (.failed(.status(500)), 502, "upstream-error", 500), (.failed(.tls), 502, "upstream-error", 502),
            (.failed(.unreachable), 502, "upstream-error", 502), (.invalid("not JSON"), 502, "upstream-invalid", 502),
            (.rateLimited(retryAfter: .seconds(9)), 503, "upstream-rate-limited", 503),
        ]
    )
    func failures(error: UpstreamError, status: Int, code: String, dropInStatus: Int) async throws {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.failure = error }
        let response = try await fixture.get("/v1/photos")
        #expect(response.status.code == status && response.code == code)
        let dropIn = try await fixture.get("/unsplash/photos")
        #expect(dropIn.status.code == dropInStatus && dropIn.count("/errors") == 1)
        #expect(dropIn.fields[.wwwAuthenticate] == nil)
        for answer in [response, dropIn] {
            #expect(answer.fields[.cacheControl] == "no-store" && answer.fields[.eTag] == nil)
        }
    }
}
