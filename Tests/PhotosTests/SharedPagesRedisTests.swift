import HTTPExchange
import HTTPTypes
import JSON
import Logging
import Photos
import Primitives
import RedisClient
import ServiceHarness
import SharedState
import TestSupport
import Testing

@Suite(
    "Pages of several replicas on Redis",
    .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools")
)
struct SharedPagesRedisTests {
    /// A store on a server of its own, for one test.
    private final class RedisFixture: Sendable {
        let server: RedisServerProcess
        let store: RedisStore

        init() async throws {
            server = try RedisServerProcess()
            let configuration = RedisConfiguration(urls: [try RedisURL(server.url)], timeout: .seconds(20))
            store = try RedisStore(configuration, prefix: "t", logger: .silent)
            let failure = await store.client.waitUntilReady()
            try #require(failure == nil)
        }

        deinit {
            store.client.stop()
        }
    }

    /// The time of all replicas.
    private let clock = PhotoClock()

    private func replica(_ redis: RedisFixture, _ library: FakeLibrary, rateLimit: Int = 50) throws -> PhotoFixture {
        try PhotoFixture(
            library,
            rateLimit: rateLimit,
            shared: AnswerStore(store: redis.store, logger: .silent),
            clock: clock
        )
    }

    @Test("replicas that need the same pages at once make one call for each")
    func pages() async throws {
        let redis = try await RedisFixture()
        let library = FakeLibrary(photos: 200)
        let replicas = try (0..<4).map { _ in try replica(redis, library) }
        let pages = try await withThrowingTaskGroup(of: [String].self) { group in
            for replica in replicas {
                group.addTask { try await replica.get("/v1/photos?limit=100").ids() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pages == Array(repeating: (1...100).map { "p\($0)" }, count: 4))
        #expect(library.calls.count == 4)
        let late = try replica(redis, library)
        #expect(try await late.get("/v1/photos/p100/image/thumb").status == .ok)
        let first = try await replicas[0].get("/v1/photos/p150?detail=full")
        #expect(try await late.get("/v1/photos/p150?detail=full").bytes == first.bytes)
        #expect(library.calls.count == 5)
    }

    @Test("replicas make as many calls as one may")
    func budget() async throws {
        let redis = try await RedisFixture()
        let library = FakeLibrary()
        let replicas = try (0..<2).map { _ in try replica(redis, library, rateLimit: 5) }
        let hour = WallTime.now.milliseconds / 3_600_000
        let codes = try await withThrowingTaskGroup(of: String?.self) { group in
            for photo in 1...30 {
                group.addTask { try await replicas[photo % 2].get("/v1/photos/p\(photo)?detail=full").code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == library.calls.count)
        #expect(codes.count { $0 == "upstream-rate-limited" } == 30 - library.calls.count)
        // Redis has the clock of the machine.
        if WallTime.now.milliseconds / 3_600_000 == hour { #expect(library.calls.count == 5) }
        for replica in replicas { await replica.service.stop() }
    }
}
