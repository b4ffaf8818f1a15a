import FakeLibrary
import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite(
        "Photos of two replicas on one Redis",
        .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools")
    )
    struct SharedPhotosTests {
        /// A Redis, a library, and two replicas.
        private struct Replicas {
            let redis: RedisServerProcess
            let library = LibraryServer()
            let a: ServiceProcess
            let b: ServiceProcess

            init() throws {
                redis = try RedisServerProcess()
                let authority = try library.start()
                let environment = [
                    "SPRINGBAR_REDIS_URL": redis.url, "SPRINGBAR_API_TOKENS": SharedPhotosTests.token,
                    "SPRINGBAR_UNSPLASH_API_URL": "http://\(authority)",
                    "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": authority, "UNSPLASH_ACCESS_KEY": "any",
                ]
                a = try ServiceProcess(environment: environment)
                b = try ServiceProcess(environment: environment)
            }
        }

        private static let token = "sixteen-characters"
        private static let authorization = "Authorization: Bearer \(token)\r\n"

        private func get(
            _ path: String,
            _ service: ServiceProcess,
            fields: String = authorization
        ) throws -> RawResponse {
            try RawConnection(port: service.port).exchange("GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
        }

        private func thumbnails(_ page: RawResponse) throws -> [String] {
            let object = try JSONSerialization.jsonObject(with: Data(page.text.utf8)) as? [String: Any]
            let items = try #require(object?["items"] as? [[String: Any]])
            return items.compactMap { item in
                let images = item["images"] as? [String: [String: Any]]
                return images?["thumb"]?["url"] as? String
            }
        }

        @Test("The pictures of a page from one replica need no token and no call on the other")
        func pictures() throws {
            let replicas = try Replicas()
            let links = try thumbnails(get("/v1/photos?limit=30", replicas.a))
            #expect(links.count == 30)
            #expect(try get(String(links[29].prefix { $0 != "?" }), replicas.b, fields: "").status == 401)
            #expect(try get(links[29], replicas.b, fields: "").status == 200)
            for link in links.prefix(5) { #expect(try get(link, replicas.b, fields: "").status == 200) }
            #expect(try thumbnails(get("/v1/photos?limit=30", replicas.b)) == links)
            #expect(replicas.library.counts.apiRequests == 1)
        }

        @Test("A replica that is killed during a fetch costs one call more")
        func killed() throws {
            let replicas = try Replicas()
            replicas.library.faults.add(Fault(.hangBefore, on: .api, count: 1))
            let first = try RawConnection(port: replicas.a.port)
            try first.send("GET /v1/photos HTTP/1.1\r\nHost: x\r\n\(Self.authorization)\r\n")
            #expect(eventually { replicas.library.counts.apiRequests == 1 })
            replicas.a.send(signal: SIGKILL)
            #expect(try get("/v1/photos", replicas.b).status == 200)
            #expect(replicas.library.counts.apiRequests == 2)
        }
    }
}
