import FakeLibrary
import Foundation
import TestSupport
import Testing

extension ProcessTests {
    /// Memory that clients can make the photo part take, measured as the process's resident set.
    @Suite("Photos and memory", .timeLimit(.minutes(3)))
    struct PhotoMemoryTests {
        /// The service in front of its own library.
        private final class Fixture {
            let library: LibraryServer
            let ids: [String]
            let service: ServiceProcess
            let connection: RawConnection

            init(pictureBytes: Int = 100_000, _ settings: [String: String]) throws {
                var configuration = LibraryServer.Configuration()
                configuration.pictureBytes = pictureBytes
                library = LibraryServer(configuration)
                ids = library.photoIDs
                let authority = try library.start()
                let environment = [
                    "UNSPLASH_ACCESS_KEY": "any",
                    "SPRINGBAR_UNSPLASH_API_URL": "http://\(authority)",
                    "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": authority,
                ]
                service = try ServiceProcess(environment: environment.merging(settings) { $1 })
                connection = try RawConnection(port: service.port)
            }

            func ask(_ target: String, _ method: String = "GET", content: String = "") throws -> RawResponse {
                let type = content.isEmpty ? "" : "Content-Type: application/json\r\n"
                return try connection.exchange(
                    "\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(type)Content-Length: \(content.utf8.count)\r\n\r\n\(content)"
                )
            }

            /// Returns the resident set size: proc(5), /proc/PID/status.
            func residentBytes() throws -> Int {
                let status = try String(contentsOfFile: "/proc/\(service.identifier)/status", encoding: .utf8)
                let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
                return try #require(line?.split(separator: " ").compactMap { Int($0) }.first) * 1024
            }
        }

        /// Before the limit, forty readers of 8 MB took 324 MB beside a cache of 64 MB.
        @Test(
            "40 stalled readers of 8 MB pictures take the share of their client, and the others get 503"
        )
        func stalledReaders() async throws {
            let budget = 64 << 20
            let fixture = try Fixture(
                pictureBytes: 8_000_000,
                [
                    "SPRINGBAR_MEMORY_BYTES": "\(budget)", "SPRINGBAR_IMAGE_CACHE_BYTES": "\(16 << 20)",
                    "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0",
                ]
            )
            #expect(try fixture.ask("/v1/photos?page=1&perPage=100").status == 200)
            for _ in 0..<200 { _ = try fixture.ask("/v1/photos?page=1&perPage=10") }
            let before = try fixture.residentBytes()
            var readers: [RawConnection] = []
            for number in 0..<40 {
                let reader = try RawConnection(port: fixture.service.port, receiveBuffer: 4096)
                try reader.send(
                    "GET /v1/photos/\(fixture.ids[number])/image?w=400 HTTP/1.1\r\nHost: x\r\n\r\n"
                )
                readers.append(reader)
            }
            let heads = try readers.map { try $0.read(through: "\r\n\r\n", within: .seconds(30)) }
            let served = heads.count { $0.hasPrefix("HTTP/1.1 200") }
            let refused = heads.filter { $0.hasPrefix("HTTP/1.1 503") }
            // Four fit into half of the budget. Requests that are just starting may take the last bytes of the fourth.
            #expect(3...4 ~= served)
            #expect(served + refused.count == 40)
            #expect(refused.allSatisfy { $0.contains("\r\nRetry-After: 1\r\n") })
            // Wait until every picture has arrived from the library, however slow its reader is.
            var highest = try fixture.residentBytes()
            for _ in 0..<20 {
                #expect(try fixture.ask("/v1/photos?page=1&perPage=10").status == 200)
                highest = max(highest, try fixture.residentBytes())
                try await Task.sleep(for: .milliseconds(50))
            }
            let grown = highest - before
            print("forty stalled readers of 8 MB: \(before >> 20) to \(highest >> 20) MB, \(served) served")
            #expect(grown < budget / 2 + (24 << 20), "grown by \(grown >> 20) MB")

            for reader in readers { reader.close() }
            readers = []
            #expect(
                try eventually(within: .seconds(20)) {
                    try fixture.ask("/v1/photos/\(fixture.ids[66])/image?w=640").status == 200
                },
                "the memory is free again after the readers have closed"
            )
            await fixture.library.stop()
        }

        /// Before the limit, 40,000 downloads took 196 MB.
        @Test(
            "Of 40,000 downloads without budget 1,024 wait, the others get 503, and prefetches are not affected"
        )
        func downloads() async throws {
            let fixture = try Fixture(["SPRINGBAR_RATE_LIMIT_PER_HOUR": "1"])
            #expect(try fixture.ask("/v1/photos?page=1&perPage=10").status == 200)
            for _ in 0..<1000 { _ = try fixture.ask("/v1/photos?page=1&perPage=10") }
            let before = try fixture.residentBytes()
            var statuses: [Int: Int] = [:]
            for number in 0..<400 {
                let target = "/v1/photos/\(fixture.ids[number % 10])/download"
                let request = "POST \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
                try fixture.connection.send(String(repeating: request, count: 100))
                for _ in 0..<100 { statuses[try fixture.connection.readResponse().status, default: 0] += 1 }
            }
            let after = try fixture.residentBytes()
            print("40,000 downloads: \(before >> 20) to \(after >> 20) MB, \(statuses)")
            // One more is allowed, in case an hour ends during the test.
            let accepted = statuses[202, default: 0]
            #expect(1024...1025 ~= accepted)
            #expect(statuses[503] == 40_000 - accepted)
            #expect(after - before < 16 << 20, "grown by \((after - before) >> 20) MB")
            let prefetch = try fixture.ask(
                "/v1/photos/prefetch",
                "POST",
                content: "{\"ids\":[\"\(fixture.ids[1])\"]}"
            )
            let body = String(decoding: prefetch.content, as: UTF8.self)
            #expect(prefetch.status == 429 && body.contains("/problems/budget-low"), "not because of waiting downloads")
            await fixture.library.stop()
        }
    }
}
