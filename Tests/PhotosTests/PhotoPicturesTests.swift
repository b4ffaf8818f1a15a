import HTTPExchange
import HTTPTypes
import PictureCoding
import Primitives
import ServiceHarness
import TestSupport
import Testing

@testable import PhotoLibrary
@testable import Photos

@Suite("Pictures of photos")
struct PhotoPicturesTests {
    private func seen(_ library: FakeLibrary = FakeLibrary(), cache: Int = 1 << 20) async throws -> PhotoFixture {
        let fixture = try PhotoFixture(library, imageCacheBytes: cache)
        _ = try await fixture.get("/v1/photos")
        return fixture
    }

    @Test("a picture is fetched with its ixid, and then served at once from the same bytes")
    func cached() async throws {
        let fixture = try await seen()
        let first = try await fixture.ask("/v1/photos/p1/image/thumb")
        #expect(!first.isNow)
        #expect(first.response.fields[.contentType] == "image/png")
        #expect(first.response.bytes == fixture.library.current.picture)
        #expect(first.response.fields[.cacheStatus] == "photos; fwd=miss; stored")
        #expect(
            fixture.library.pictureCalls == [
                "https://images.example/p1?ixid=M3w1&ixlib=rb&cs=tinysrgb&fit=max&fm=jpg&q=80&w=200"
            ]
        )
        await fixture.settle()
        fixture.wait(.seconds(5))
        let second = try await fixture.ask("/v1/photos/p1/image/thumb?ixid=whatever")
        #expect(second.isNow)
        #expect(second.response.fields[.age] == "5")
        #expect(second.response.fields[.cacheStatus] == "photos; hit; ttl=604795")
        #expect(second.response.fields[.cacheControl] == "public, max-age=604800")
        #expect(second.response.fields[.eTag]?.count == 18)
        #expect(second.response.bytes == first.response.bytes)
        #expect(fixture.library.pictureCalls.count == 1)
        for answer in [first, second] { #expect(answer.response.fields[.xContentTypeOptions] == "nosniff") }
        #expect(try await fixture.ask("/v1/photos/slug-p1/image/thumb").isNow)
        fixture.wait(.seconds(604_800))
        #expect(try await !fixture.ask("/v1/photos/p1/image/thumb").isNow)
        #expect(fixture.service.status.imageCache.hits == 2)
        #expect(fixture.service.status.imageCache.misses == 2, "one that has to be fetched again is none")
    }

    @Test("an extension is the format, and the same picture has one entry", arguments: ["jpg", "png", "webp", "avif"])
    func extensions(format: String) async throws {
        let fixture = try await seen()
        for target in ["thumb.\(format)", "thumb.\(format)?v=2&ixid=a", "?w=200&fm=\(format)&v=7"] {
            let path = "/v1/photos/p1/image" + (target.hasPrefix("?") ? "" : "/") + target
            let response = try await fixture.get(path)
            #expect(response.status == .ok)
            #expect(response.fields[.crossOriginResourcePolicy] == "cross-origin")
            await fixture.settle()
        }
        #expect(fixture.library.pictureCalls.map { $0.contains("&fm=\(format)&") } == [true])
        #expect(
            try await fixture.get("/v1/photos/p1/placeholder.png?v=1&_=2").fields[.crossOriginResourcePolicy]
                == "cross-origin"
        )
        for odd in ["thumb.", "thumb.gif", "thumb.JPG", ".jpg", "thumb.jpg.webp", "thumb.jpg?x=1"] {
            let status = try await fixture.get("/v1/photos/p1/image/" + odd).status
            #expect(status == (odd.contains("?") ? .badRequest : .notFound), "\(odd)")
        }
    }

    @Test(
        "a client that has started 32 fetches is refused another one, and other clients are not",
        .timeLimit(.minutes(1))
    )
    func share() async throws {
        let fixture = try await seen()
        fixture.library.close()
        @Sendable func ask(_ number: Int, from client: String) async throws -> Response {
            let target = Target("/v1/photos/p\(number % 30 + 1)/image/\(number < 30 ? "thumb" : "small")")
            return try await fixture.application.respond(to: Request(method: .get, target: target, from: client))
                .value()
        }
        let statuses = try await withThrowingTaskGroup(of: Response.self) { group in
            for number in 0..<40 { group.addTask { try await ask(number, from: "192.0.2.1") } }
            let refused = try await group.prefix(8).reduce(into: []) { $0.append($1) }
            #expect(refused.map(\.status) == Array(repeating: .serviceUnavailable, count: 8))
            #expect(refused[0].fields[.retryAfter] == "1")
            try await waitUntil { fixture.library.pictureCalls.count == 32 }
            group.addTask { try await ask(40, from: "192.0.2.2") }
            try await waitUntil { fixture.library.pictureCalls.count == 33 }
            fixture.library.open()
            return try await group.reduce(into: []) { $0.append($1.status) }
        }
        #expect(statuses == Array(repeating: .ok, count: 33))
        await fixture.settle()
        #expect(try await ask(41, from: "192.0.2.1").status == .ok)
    }

    @Test("a response begins after the picture's header, without a tag, and a slow reader gets it after its end, too")
    func streamed() async throws {
        let fixture = try await seen()
        fixture.library.set { $0.pause = 100 }
        let reply = fixture.application.respond(
            to: Request(method: .get, target: Target("/v1/photos/p1/image/thumb"))
        )
        guard case .later(let work) = reply else {
            Issue.record("a picture that is not there cannot be answered at once")
            return
        }
        let begun = try await work()
        #expect(begun.content.length == fixture.library.current.picture.count)
        #expect(begun.fields[.eTag] == nil)
        #expect(begun.fields[.acceptRanges] == nil)
        #expect(begun.fields[.contentType] == "image/png")
        async let late = fixture.get("/v1/photos/p1/image/thumb")
        await fixture.library.openWhenWaiting()
        #expect(try await late.bytes == fixture.library.current.picture)
        try await waitUntil { fixture.service.status.imageCache.entries > 0 }
        #expect(try await fixture.ask("/v1/photos/p1/image/thumb").isNow)
        #expect(await begun.read().bytes == fixture.library.current.picture)
        #expect(fixture.library.pictureCalls.count == 1)
    }

    @Test("if the library cuts the transfer of a picture short, an old copy is served in its place")
    func cutShort() async throws {
        let fixture = try await seen()
        let picture = fixture.library.current.picture
        #expect(try await fixture.get("/v1/photos/p1/image/thumb").bytes == picture)
        await fixture.settle()
        fixture.wait(Freshness.pictures)
        fixture.library.set { $0.pause = 50 }
        fixture.library.set { $0.declaredLength = picture.count + 1 }
        async let stale = fixture.get("/v1/photos/p1/image/thumb")
        await fixture.library.openWhenWaiting()
        #expect(try await stale.bytes == picture)
        #expect(try await stale.fields[.cacheStatus] == "photos; fwd=stale; detail=invalid")
    }

    @Test(
        "whatever the failure, an old picture is served with its age, and no other cache adds to it",
        arguments: [
            UpstreamError.failed(.status(503)), .refused(429), .unusable("status 304"), .invalid("not a picture"),
            .imageRejected(.tooLarge(limit: 1)), .imageRejected(.redirected),
        ]
    )
    func old(failure: UpstreamError) async throws {
        let fixture = try await seen()
        let first = try await fixture.get("/v1/photos/p1/image/thumb")
        await fixture.settle()
        fixture.wait(Freshness.pictures + .seconds(7))
        fixture.library.set { $0.pictureFailure = failure }
        for _ in 0..<2 {
            let stale = try await fixture.get("/v1/photos/p1/image/thumb")
            #expect(stale.bytes == first.bytes)
            #expect(stale.fields[.cacheStatus]?.hasPrefix("photos; fwd=stale; ") == true)
            #expect(stale.fields[.age] == "604807")
            #expect(stale.fields[.cacheControl] == "no-cache")
        }
        fixture.library.set { $0.pictureFailure = .notFound }
        fixture.wait(.seconds(6))
        #expect(try await fixture.get("/v1/photos/p1/image/thumb").status == .notFound)
    }

    @Test("a picture in memory is a hit by every name of its photo, for a page of another site, too")
    func names() async throws {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.document = PhotoPayloadTests.photo() }
        // The library knows a photo by more names than its id and its slug.
        for name in ["l_p4pay8CTM", "ein-mann-l_p4pay8CTM"] {
            #expect(try await fixture.get("/v1/photos/\(name)/image/thumb").status == .ok)
            await fixture.settle()
        }
        fixture.wait(.seconds(5))
        for fields: Fields in [[:], [.secFetchSite: "cross-site"]] {
            let hit = try await fixture.get("/v1/photos/ein-mann-l_p4pay8CTM/image/thumb", fields: fields)
            #expect(hit.fields[.cacheStatus] == "photos; hit; ttl=604795")
            #expect(hit.fields[.age] == "5")
        }
        let cache = fixture.service.status.imageCache
        #expect(cache.misses == 1 && cache.hits == 3)
        #expect(fixture.library.pictureCalls.count == 1)
    }

    @Test("a photo whose picture is gone is asked for again, once an hour: it may have another address")
    func moved() async throws {
        let fixture = try await seen()
        fixture.library.set { $0.pictureFailure = .notFound }
        for (wait, calls) in [(0, 1), (61, 1), (3600, 1), (61, 2), (61, 2), (61, 2)] {
            fixture.wait(.seconds(wait))
            #expect(try await fixture.get("/v1/photos/p1/image/thumb").status == .notFound)
            await fixture.settle()
            #expect(fixture.library.calls.count == calls)
        }
        fixture.library.set { $0.pictureFailure = nil }
        fixture.wait(.seconds(61))
        #expect(try await fixture.get("/v1/photos/p1/image/thumb").status == .ok)
    }

    @Test("a conditional request, or a picture without a length, gets its response when the picture is complete")
    func buffered() async throws {
        for fields: Fields in [[.range: "bytes=0-9"], [.ifNoneMatch: "\"x\""], [:]] {
            let fixture = try await seen()
            if fields.isEmpty { fixture.library.set { $0.hasLength = false } }
            let response = try await fixture.get("/v1/photos/p1/image/thumb", fields: fields)
            #expect(response.fields[.eTag] != nil)
        }
    }

    @Test("a reader that closes its stream leaves the fetch, which stops with the last one")
    func closedStream() async throws {
        let fixture = try await seen()
        fixture.library.set { $0.pause = 100 }
        var streams: [any ContentStream] = []
        for _ in 0..<2 {
            let request = Request(method: .get, target: Target("/v1/photos/p1/image/thumb"))
            guard case .later(let work) = fixture.application.respond(to: request),
                case .stream(let stream) = try await work().content
            else {
                Issue.record("the answer has to be a stream")
                return
            }
            streams.append(stream)
        }
        streams[0].close()
        try await Task.sleep(for: .milliseconds(200))
        #expect(fixture.library.cancellations == 0, "the other one still reads")
        streams[1].close()
        try await waitUntil { fixture.library.cancellations > 0 }
        #expect(fixture.library.pictureCalls.count == 1)
    }

    @Test("an unknown photo costs one call of the API, and its picture costs no budget")
    func unseen() async throws {
        let fixture = try PhotoFixture()
        #expect(try await fixture.get("/v1/photos/p5/image/thumb").status == .ok)
        #expect(fixture.library.calls == ["/photos/p5"])
        #expect(fixture.service.status.budget.remaining == 49)
        #expect(try await fixture.get("/v1/photos/missing/image/thumb").status == .notFound)
        #expect(fixture.library.pictureCalls.count == 1)
    }

    @Test("a failure is remembered for some seconds, without more calls")
    func failureMemory() async throws {
        let fixture = try await seen()
        fixture.library.set { $0.pictureFailure = .timedOut }
        for _ in 0..<5 { #expect(try await fixture.get("/v1/photos/p1/image/thumb").status.code == 504) }
        #expect(fixture.library.pictureCalls.count == 1)
        fixture.library.set { $0.pictureFailure = nil }
        fixture.wait(.seconds(6))
        #expect(try await fixture.get("/v1/photos/p1/image/thumb").status == .ok)
    }

    @Test("the image host is not asked again before the time that it states")
    func retryAfter() async throws {
        let fixture = try await seen()
        fixture.library.set { $0.pictureFailure = .refused(429, retryAfter: .seconds(120)) }
        for (wait, left) in [(0, "120"), (60, "60"), (59, "1")] {
            fixture.wait(.seconds(wait))
            let refusal = try await fixture.get("/v1/photos/p1/image/thumb")
            #expect(refusal.status == .badGateway && refusal.fields[.retryAfter] == left)
            #expect(fixture.library.pictureCalls.count == 1)
        }
        fixture.library.set { $0.pictureFailure = nil }
        fixture.wait(.seconds(1))
        #expect(try await fixture.get("/v1/photos/p1/image/thumb").status == .ok)
    }

    @Test("the cache stays within its bytes, overhead included, and refuses pictures above a tenth of them")
    func bounded() async throws {
        let fixture = try await seen(cache: 20_000)
        for photo in 1...30 { _ = try await fixture.get("/v1/photos/p\(photo)/image/thumb") }
        let status = fixture.service.status
        #expect(status.imageCache.bytes <= 20_000)
        #expect(status.imageCache.entries < 20)
        #expect(status.imageCache.entries > 5)
        let png = PNG.encode(Array(repeating: RGB(1, 2, 3), count: 625), width: 25, height: 25)
        fixture.library.set { $0.picture = png }
        for _ in 0..<2 {
            let response = try await fixture.get("/v1/photos/p1/image/full")
            #expect(response.status == .ok)
            #expect(response.fields[.cacheStatus] == "photos; fwd=miss")
            await fixture.settle()
        }
        #expect(fixture.library.pictureCalls.count { $0.contains("/p1?") && $0.contains("q=85") } == 2)
    }

    @Test("in redirect mode clients are redirected to the library's own address, with its ixid")
    func redirects() async throws {
        let fixture = try PhotoFixture(imageMode: .redirect)
        _ = try await fixture.get("/v1/photos")
        let (isNow, response) = try await fixture.ask("/v1/photos/p1/image/thumb")
        #expect(isNow)
        #expect(response.status == .temporaryRedirect)
        #expect(
            response.fields[.location]
                == "https://images.example/p1?ixid=M3w1&ixlib=rb&cs=tinysrgb&fit=max&fm=jpg&q=80&w=200"
        )
        #expect(fixture.library.pictureCalls.isEmpty)
        fixture.library.set { $0.allowsPictures = false }
        let refused = try await fixture.get("/v1/photos/p1/image/thumb")
        #expect(refused.code == "image-rejected" && refused.fields[.location] == nil)
    }
}
