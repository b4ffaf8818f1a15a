import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import Synchronization
import TestSupport
import Testing

@testable import Photos

@Suite("Many downloads")
struct ReportFloodTests {
    private func post(_ fixture: PhotoFixture, key: String? = nil, token: String? = nil) async throws -> Response {
        var fields: Fields = [:]
        if let key { fields[.idempotencyKey] = key }
        if let token { fields[.authorization] = "Bearer \(token)" }
        return try await fixture.ask("/v1/photos/p7/download", method: .post, fields: fields).response
    }

    @Test("1,024 downloads wait, further ones are 503 with Retry-After, and prefetches are not affected")
    func bounded() async throws {
        let memory = MemoryBudget(limit: 1 << 20)
        let fixture = try PhotoFixture(rateLimit: 5000, memory: memory)
        _ = try await fixture.get("/v1/photos")
        fixture.library.close()
        var statuses: [Int: Int] = [:]
        for _ in 0..<1500 { statuses[try await post(fixture).status.code, default: 0] += 1 }
        #expect(statuses == [202: 1024, 503: 476])
        let refused = try await post(fixture, key: "k")
        #expect(refused.fields[.retryAfter] == "5")
        #expect(try refused.object()["type"].string() == "/problems/overloaded")
        #expect(fixture.service.senders.count == 1, "and no task for each")
        #expect(memory.bytes > 1024 * 256)
        let prefetch = try await fixture.ask(
            "/v1/photos/prefetch",
            method: .post,
            content: "{\"ids\":[\"p1\"]}"
        ).response
        #expect(prefetch.status == .accepted)
        fixture.library.open()
        await fixture.settle()
        #expect(fixture.library.calls.count { $0.contains("/download") } == 1024)
        #expect(fixture.service.reports.withLock { $0.queue.count } == 0)
        #expect(try await post(fixture, key: "k").object()["repeated"].bool() == false, "a refusal notes no key")
        await fixture.settle()
        #expect(memory.bytes == 0)
    }

    @Test("downloads that do not fit into the memory budget are refused")
    func budget() async throws {
        let memory = MemoryBudget(limit: 10_000)
        let fixture = try PhotoFixture(memory: memory)
        _ = try await fixture.get("/v1/photos")
        fixture.library.close()
        var accepted = 0
        while try await post(fixture).status == .accepted { accepted += 1 }
        #expect(15...40 ~= accepted)
        #expect(memory.bytes <= 10_000)
        fixture.library.open()
        await fixture.settle()
        #expect(memory.bytes == 0)
    }

    @Test("without budget, downloads are reported in the next hour")
    func withoutBudget() async throws {
        let fixture = try PhotoFixture(rateLimit: 1)
        _ = try await fixture.get("/v1/photos")
        #expect(try await post(fixture).status == .accepted)
        await fixture.settle()
        #expect(fixture.library.calls.count { $0.contains("/download") } == 1)
    }

    @Test("a report is sent five times, with pauses of 1, 10, 60 and 600 s")
    func pauses() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        fixture.library.set { $0.failure = .refused(405) }
        let start = fixture.service.now
        #expect(try await post(fixture).status == .accepted)
        try await waitUntil { fixture.service.now - start >= .seconds(1 + 10 + 60 + 600) }
        await fixture.settle()
        #expect(fixture.library.calls.count { $0.contains("/download") } == 5)
    }

    @Test("a key belongs to the token of its request")
    func keys() async throws {
        let tokens = ["token-a-of-the-tests", "token-b-of-the-tests"]
        let fixture = try PhotoFixture(tokens: tokens)
        _ = try await fixture.get("/v1/photos", fields: [.authorization: "Bearer \(tokens[0])"])
        for token in tokens {
            #expect(try await !post(fixture, key: "one", token: token).object()["repeated"].bool())
            #expect(try await post(fixture, key: "one", token: token).object()["repeated"].bool())
        }
        await fixture.settle()
        #expect(fixture.library.calls.count { $0.contains("/download") } == 2)
    }
}
