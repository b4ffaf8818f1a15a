import Foundation
import TestSupport
import Testing

extension ProcessTests {
    /// What docs/image-cache.md says of memory.
    @Suite("The image cache under load", .timeLimit(.minutes(2)))
    struct ImageCacheTests {
        private static let cacheBytes = 16 << 20
        /// A home screen that everybody opens: 4 of the 16 MB.
        private static let hot = 0..<40

        /// The service in front of a large library, asked over one connection.
        private final class House {
            let library: LargeLibrary
            let service: ServiceProcess
            let connection: RawConnection

            init() throws {
                library = try LargeLibrary()
                service = try ServiceProcess(environment: [
                    "UNSPLASH_ACCESS_KEY": "any",
                    "SPRINGBAR_UNSPLASH_API_URL": "http://127.0.0.1:\(library.port)",
                    "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": "127.0.0.1:\(library.port)",
                    "SPRINGBAR_RATE_LIMIT_PER_HOUR": "1000",
                    "SPRINGBAR_IMAGE_CACHE_BYTES": "\(cacheBytes)",
                ])
                connection = try RawConnection(port: service.port)
            }

            func get(_ target: String) throws -> RawResponse {
                try connection.exchange("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            }

            /// Whether the picture came from memory.
            func hits(_ number: Int) throws -> Bool {
                let response = try get("/v1/photos/\(LargeLibrary.id(number))/image?w=400")
                #expect(response.status == 200)
                #expect(response.content.count == LargeLibrary.pictureBytes)
                return response["Cache-Status"]?.contains("hit") == true
            }

            /// Its resident set: proc(5), /proc/PID/status.
            func residentBytes() throws -> Int {
                let status = try String(contentsOfFile: "/proc/\(service.identifier)/status", encoding: .utf8)
                let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
                return try #require(line?.split(separator: " ").compactMap { Int($0) }.first) * 1024
            }

            func imageCache() throws -> [String: Int] {
                let object = try JSONSerialization.jsonObject(with: Data(get("/v1/status").content))
                let photos = (object as? [String: Any])?["photos"] as? [String: Any]
                return try #require(photos?["imageCache"] as? [String: Int])
            }
        }

        @Test("2,000 pictures of 100 kB pass through 16 MB: memory stays bounded, and a home screen stays in it")
        func bounded() async throws {
            let house = try House()
            for page in 1...LargeLibrary.photos / 100 {
                #expect(try house.get("/v1/photos?page=\(page)&perPage=100").status == 200)
            }
            for number in Self.hot { _ = try house.hits(number) }
            let before = try house.residentBytes()
            var highest = before
            var (asked, hits) = (0, 0)
            for number in Self.hot.upperBound..<LargeLibrary.photos {
                #expect(try !house.hits(number))
                // Every fourth request is one for the home screen.
                if number.isMultiple(of: 3) {
                    asked += 1
                    hits += try house.hits(number / 3 % Self.hot.count) ? 1 : 0
                }
                if number.isMultiple(of: 50) { highest = max(highest, try house.residentBytes()) }
            }
            let cache = try house.imageCache()
            #expect(try #require(cache["bytes"]) <= Self.cacheBytes)
            #expect(try #require(cache["entries"]) > 150, "it is full, of pictures of 100 kB and 1 kB around each")
            // 200 MB came through. Beside the cache there is room for what is under way and for what malloc keeps.
            #expect(highest - before < Self.cacheBytes + (8 << 20), "from \(before) to \(highest)")
            #expect(hits > asked * 95 / 100, "\(hits) of \(asked)")
            await house.library.stop()
        }
    }
}
