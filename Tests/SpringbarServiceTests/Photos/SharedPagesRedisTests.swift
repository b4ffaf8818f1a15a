import HTTPExchange
import JSON
import Logging
import PhotoFeed
import Primitives
import RedisClient
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

@Suite(
    "Pages of several replicas on Redis",
    .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools")
)
struct SharedPagesRedisTests {
    private func replica(_ redis: RealRedis, _ library: FakeLibrary) throws -> PhotoFixture {
        try PhotoFixture(library, shared: photos(redis))
    }

    private func photos(_ redis: RealRedis) -> SharedPhotos {
        SharedPhotos(engine: redis.engine, logger: .silent)
    }

    @Test("replicas that need the same pages at once make one call for each, and follow each other")
    func pages() async throws {
        let redis = try await RealRedis()
        let library = FakeLibrary(photos: 200)
        let replicas = try (0..<4).map { _ in try replica(redis, library) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let late = try replica(redis, library)
            group.addTask { await late.service.followReplicas() }
            defer { group.cancelAll() }
            let pages = try await withThrowingTaskGroup(of: [String].self) { group in
                for replica in replicas {
                    group.addTask { try await replica.get("/v1/photos?limit=100").ids() }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(pages == Array(repeating: (1...100).map { "p\($0)" }, count: 4))
            #expect(library.calls.count == 4)
            try await waitUntil { late.service.knows("p1") && late.service.knows("p100") }
            let first = try await replicas[0].get("/v1/photos/p150?detail=full")
            try await waitUntil { late.service.knows("p150") }
            #expect(try await late.get("/v1/photos/p150?detail=full").body == first.body)
            #expect(library.calls.count == 5)
        }
    }

    @Test("a full journal is appended to, and read back")
    func journal() async throws {
        let redis = try await RealRedis()
        let library = FakeLibrary()
        let a = try replica(redis, library)
        _ = try await a.get("/v1/photos?limit=30")
        let head = try #require(try await redis.engine.read(.journal))
        var writer = ByteWriter()
        writer.put(PhotoRecord.format)
        writer.put(number: JournalState.limit)
        let old = PhotoTicket.pages([1, 2, 3], snapshot: 7).bytes
        let full = SharedWrite(
            base: head.version,
            value: SharedValue(SharedVersion(high: 50_000, low: 1), writer.bytes),
            timeToLive: .seconds(600),
            appending: Array(repeating: old, count: JournalState.limit - 1)
        )
        #expect(try await redis.engine.exchange(.journal, full) == .done)
        _ = try await a.get("/v1/photos?page=2&perPage=30")
        let entry = try #require(try await redis.engine.readWithLog(.journal))
        #expect(entry.log.count == JournalState.limit)
        #expect(entry.value.version.high == 50_001)
        let b = try replica(redis, library)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await b.service.followReplicas() }
            defer { group.cancelAll() }
            try await waitUntil { b.service.knows("p31") }
        }
        #expect(library.calls.count == 2)
    }
}
