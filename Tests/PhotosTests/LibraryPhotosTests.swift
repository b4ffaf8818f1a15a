import FakeLibrary
import HTTPExchange
import HTTPTypes
import JSON
import Photos
import ServiceHarness
import Testing

/// Tests the whole photo part with the fake library: libcurl, real HTTP and real faults.
///
/// The cases run one after the other, because each has its own library, which draws its pictures.
@Suite("Photos from a library", .serialized, .timeLimit(.minutes(5)))
struct LibraryPhotosTests {
    @Test("a page, a detail and a picture, from the first request to the cached bytes")
    func slice() async throws {
        try await LibraryFixture.with { fixture in
            let page = try await fixture.get("/v1/photos?limit=3")
            let ids = try page.ids()
            #expect(ids == Array(fixture.library.photoIDs.prefix(3)))
            let detail = try await fixture.get("/v1/photos/\(ids[0])?detail=full")
            #expect(try detail.object()["id"].string() == ids[0])
            let first = try await fixture.get("/v1/photos/\(ids[0])/image/thumb")
            #expect(first.status == .ok)
            #expect(first.bytes.count > 500)
            guard case .header(let header) = PictureHeader.read(first.bytes) else {
                Issue.record("what came is no picture")
                return
            }
            let images = try page.object()["items"].array()[0].object()["images"].object()
            #expect(header.size.width == 200)
            #expect(try header.size.height == images["thumb"].object()["height"].integer())
            #expect(try await fixture.get("/v1/photos/\(ids[0])/image/thumb").bytes == first.bytes)
            let counts = fixture.library.counts
            #expect(counts.apiRequests == 2)
            #expect(counts.imageRequests == 1)
            #expect(counts.imagesWithKey == 0)
            #expect(counts.imagesWithoutIxid == 0)
            _ = try await fixture.askLibrary("/images/x?w=1")
            #expect(fixture.library.counts.imagesWithKey == 1, "the library counts a key that it should not have")
            #expect(fixture.library.counts.imagesWithoutIxid == 1)
            fixture.library.faults.add(Fault(.serverError, on: .images) { $0.containing = "images/x" })
            #expect(try await fixture.askLibrary("/images/y").status == .notFound)
            #expect(try await fixture.askLibrary("/images/x").status == .serviceUnavailable)
        }
    }

    @Test("five searches as long as they may be have photos, with addresses that repeat their text, and stop no fetch")
    func longSearches() async throws {
        try await LibraryFixture.with { fixture in
            for number in 0..<5 {
                // The library reads twenty words.
                // With `query=` and the `?`, 2,048 bytes.
                let query = String(repeating: "landscape%20", count: 20) + String(repeating: "\(number)", count: 1801)
                let target = try #require(try await search(query, fixture))
                #expect(target.utf8.count > 2048)
                #expect(try await fixture.get(target).status == .ok, "the report of a download")
            }
            #expect(fixture.service.status.upstream == "ok")
        }
    }

    /// Returns the target at which the download of a found photo is reported.
    private func search(_ query: String, _ fixture: LibraryFixture) async throws -> String? {
        let found = try await fixture.get("/unsplash/search/photos?query=\(query)&per_page=1")
        let links = try found.object()["results"].array()[0].object()["links"].object()
        let location = try links["download_location"].string()
        return location.firstRange(of: "/unsplash/").map { String(location[$0.lowerBound...]) }
    }

    @Test("1,000 clients scroll 900 photos with thirty of fifty calls, without a refusal, and see each photo once")
    func scrolls() async throws {
        try await LibraryFixture.with(photos: 900) { fixture in
            let expected = fixture.library.photoIDs
            let read = ReadPages()
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for client in 0..<1000 {
                    // The library's pages have thirty photos; the clients' are as large, larger, and one and a half
                    // times as large.
                    let limit = [30, 100, 45][client % 3]
                    group.addTask { try await fixture.scroll(limit: limit, read: read) == expected }
                }
                for try await sawAll in group { #expect(sawAll) }
            }
            #expect(fixture.library.counts.apiRequests == 30)
            #expect(fixture.library.counts.rateLimited == 0)
        }
    }
}
