import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite(
        "Photos of two replicas on one Redis",
        .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools")
    )
    struct SharedPhotosTests {
        /// A photo library in a process of its own, which is killed at the end.
        private final class Library: Sendable {
            let authority: String
            private let process: RunningProcess

            init() throws {
                process = try RunningProcess(ServiceProcess.binary, ["sandbox", "--port", "0"], environment: [:])
                let line = process.waitForLine(within: .seconds(20)) { $0.contains("listens on http://") }
                authority = line?.split(separator: "http://").last.map(String.init) ?? ""
            }

            deinit {
                process.kill()
            }

            private func connect() throws -> RawConnection {
                try RawConnection(port: #require(authority.split(separator: ":").last.flatMap { Int($0) }))
            }

            /// The calls of the API so far.
            func calls() throws -> Int {
                let text = try connect().exchange("GET /sandbox/counters HTTP/1.1\r\nHost: localhost\r\n\r\n").text
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                return try #require(object?["apiRequests"] as? Int)
            }

            func add(fault: String) throws {
                let answer = try connect().exchange(
                    "POST /sandbox/faults HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(fault.utf8.count)\r\n\r\n\(fault)"
                )
                #expect(answer.status == 201)
            }
        }

        /// A Redis, a library, and two replicas.
        private struct Replicas {
            let redis: RedisServerProcess
            let library: Library
            let a: ServiceProcess
            let b: ServiceProcess

            init() throws {
                redis = try RedisServerProcess()
                library = try Library()
                let environment = [
                    "SPRINGBAR_REDIS_URL": redis.url, "SPRINGBAR_API_TOKENS": SharedPhotosTests.token,
                    "SPRINGBAR_UNSPLASH_API_URL": "http://\(library.authority)",
                    "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": library.authority, "UNSPLASH_ACCESS_KEY": "any",
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

        private func ids(_ page: RawResponse) throws -> [String] {
            let object = try JSONSerialization.jsonObject(with: Data(page.text.utf8)) as? [String: Any]
            let items = try #require(object?["items"] as? [[String: Any]])
            return items.compactMap { $0["id"] as? String }
        }

        @Test("The pictures of a page from one replica need no token and no call on the other")
        func pictures() throws {
            let replicas = try Replicas()
            let ids = try ids(get("/v1/photos?limit=30", replicas.a))
            #expect(ids.count == 30)
            let last = "/v1/photos/\(ids[29])/image/thumb"
            #expect(try eventually { try get(last, replicas.b, fields: "").status == 200 })
            for id in ids.prefix(5) {
                #expect(try get("/v1/photos/\(id)/image/thumb", replicas.b, fields: "").status == 200)
            }
            #expect(try self.ids(get("/v1/photos?limit=30", replicas.b)) == ids)
            #expect(try replicas.library.calls() == 1)
        }

        @Test("A replica that is killed during a fetch costs one call more")
        func killed() throws {
            let replicas = try Replicas()
            try replicas.library.add(fault: #"{"kind":"hangBefore","on":"api","count":1}"#)
            let first = try RawConnection(port: replicas.a.port)
            try first.send("GET /v1/photos HTTP/1.1\r\nHost: x\r\n\(Self.authorization)\r\n")
            #expect(try eventually { try replicas.library.calls() == 1 })
            replicas.a.send(signal: SIGKILL)
            #expect(try get("/v1/photos", replicas.b).status == 200)
            #expect(try replicas.library.calls() == 2)
        }
    }
}
