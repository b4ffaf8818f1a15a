import HTTPExchange
import HTTPTypes
import JSON
import PhotoLibrary
import Photos
import ServiceHarness
import Testing

@Suite("Details of photos")
struct PhotoDetailTests {
    @Test("a photo of an earlier page costs no call, by id and by slug", arguments: ["p7", "slug-p7"])
    func basic(name: String) async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        let (isNow, response) = try await fixture.ask("/v1/photos/\(name)")
        #expect(isNow)
        #expect(try response.object()["id"].string() == "p7")
        #expect(try response.object().optional("exif") == nil)
        #expect(fixture.library.calls.count == 1)
        let tag = try #require(response.fields[.eTag])
        #expect(try await fixture.get("/v1/photos/\(name)", fields: [.ifNoneMatch: tag]).status == .notModified)
    }

    @Test("`detail=full` calls the library once and adds the members of details")
    func full() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        let first = try await fixture.ask("/v1/photos/p7?detail=full")
        #expect(!first.isNow)
        let json = try first.response.object()
        #expect(json.map(\.name).suffix(5) == ["exif", "location", "tags", "views", "downloads"])
        #expect(try json["exif"].object()["make"].string() == "Canon")
        #expect(try json["location"].object().map(\.name) == ["name", "city", "country", "latitude", "longitude"])
        #expect(try await fixture.ask("/v1/photos/p7?detail=full").isNow)
        #expect(fixture.library.calls == ["/photos?page=1&per_page=30", "/photos/p7"])
    }

    @Test("an unknown photo is 404, and is requested at most once a minute")
    func unknown() async throws {
        let fixture = try PhotoFixture()
        for _ in 0..<3 {
            let response = try await fixture.get("/v1/photos/missing")
            #expect(response.status == .notFound)
            #expect(try response.object()["type"].string() == "/problems/photo-not-found")
        }
        #expect(fixture.library.calls.count == 1)
        fixture.wait(.seconds(61))
        _ = try await fixture.get("/v1/photos/missing")
        #expect(fixture.library.calls.count == 2)
    }

    @Test("a detail is fresh for an hour, then renewed after the response, then before it; on error it is stale")
    func freshness() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos/p1")
        fixture.wait(.seconds(3601))
        #expect(try await fixture.ask("/v1/photos/p1").isNow)
        await fixture.settle()
        #expect(fixture.library.calls.count == 2)
        fixture.wait(.seconds(7201))
        fixture.library.set { $0.failure = .timedOut }
        let stale = try await fixture.ask("/v1/photos/p1")
        #expect(!stale.isNow)
        #expect(stale.response.status == .ok)
        #expect(stale.response.fields[.cacheStatus] == "photos; fwd=stale; detail=timeout")
    }
}
