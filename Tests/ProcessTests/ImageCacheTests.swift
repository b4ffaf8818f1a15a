import FakeLibrary
import Foundation
import TestSupport
import Testing

extension ProcessTests {
    /// Checks the statements of docs/image-cache.md about memory.
    @Suite("The image cache under load", .timeLimit(.minutes(2)))
    struct ImageCacheTests {
        private static let cacheBytes = 16 << 20
        private static let photos = 2000
        private static let pictureBytes = 100_000
        /// The pictures of a home screen that is requested often: 4 of the 16 MB.
        private static let hot = 0..<40

        /// The service in front of a large library, with one connection to it.
        private final class Fixture {
            let library: LibraryServer
            let ids: [String]
            let service: ServiceProcess
            let connection: RawConnection

            init() throws {
                var configuration = LibraryServer.Configuration()
                configuration.photoCount = photos
                configuration.pictureBytes = pictureBytes
                library = LibraryServer(configuration)
                ids = library.photoIDs
                let authority = try library.start()
                service = try ServiceProcess(environment: [
                    "UNSPLASH_ACCESS_KEY": "any",
                    "SPRINGBAR_UNSPLASH_API_URL": "http://\(authority)",
                    "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": authority,
                    "SPRINGBAR_RATE_LIMIT_PER_HOUR": "1000",
                    "SPRINGBAR_IMAGE_CACHE_BYTES": "\(cacheBytes)",
                ])
                connection = try RawConnection(port: service.port)
            }

            func get(_ target: String) throws -> RawResponse {
                try connection.exchange("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            }

            /// Returns whether the picture was a cache hit.
            func hits(_ number: Int) throws -> Bool {
                let response = try get("/v1/photos/\(ids[number])/image?w=400")
                #expect(response.status == 200)
                #expect(response.content.count == pictureBytes)
                return response["Cache-Status"]?.contains("hit") == true
            }

            func imageCache() throws -> [String: Int] {
                let object = try JSONSerialization.jsonObject(with: Data(get("/v1/status").content))
                let photos = (object as? [String: Any])?["photos"] as? [String: Any]
                return try #require(photos?["imageCache"] as? [String: Int])
            }
        }

        @Test("2,000 pictures of 100 kB in a cache of 16 MB leave memory bounded and a home screen cached")
        func bounded() async throws {
            let fixture = try Fixture()
            let figures = ProcessFigures(fixture.service)
            for page in 1...Self.photos / 100 {
                #expect(try fixture.get("/v1/photos?page=\(page)&perPage=100").status == 200)
            }
            for number in Self.hot { _ = try fixture.hits(number) }
            let before = try figures.residentBytes()
            var highest = before
            var (asked, hits) = (0, 0)
            for number in Self.hot.upperBound..<Self.photos {
                #expect(try !fixture.hits(number))
                // Every fourth request is for a picture of the home screen.
                if number.isMultiple(of: 3) {
                    asked += 1
                    hits += try fixture.hits(number / 3 % Self.hot.count) ? 1 : 0
                }
                if number.isMultiple(of: 50) { highest = max(highest, try figures.residentBytes()) }
            }
            let cache = try fixture.imageCache()
            #expect(try #require(cache["bytes"]) <= Self.cacheBytes)
            #expect(try #require(cache["entries"]) > 150, "pictures of 100 kB, with 1 kB of overhead each, fill it")
            // 200 MB passed through. The bound also allows for transfers in flight and for memory that malloc keeps.
            #expect(highest - before < Self.cacheBytes + (8 << 20), "from \(before) to \(highest)")
            #expect(hits > asked * 95 / 100, "\(hits) of \(asked)")
            await fixture.library.stop()
        }
    }
}
