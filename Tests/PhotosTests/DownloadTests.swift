import HTTPExchange
import HTTPTypes
import JSON
import PhotoLibrary
import Photos
import Primitives
import ServiceHarness
import Synchronization
import TestSupport
import Testing

@Suite("Reports of downloads")
struct DownloadTests {
    @Test("a download is reported at the photo's own location with its ixid, once for each key")
    func download() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        let report = "/photos/p7/download?ixid=M3w7"
        #expect(try await fixture.download(key: "one").status == .accepted)
        await fixture.settle()
        #expect(fixture.library.calls == ["/photos?page=1&per_page=30", report])
        #expect(try await fixture.download(key: "one").object()["repeated"].bool())
        #expect(try await fixture.download("p8", key: "one").status.code == 422)
        await fixture.settle()
        #expect(fixture.library.calls.count == 2)
        _ = try await fixture.download(key: "two")
        _ = try await fixture.download()
        _ = try await fixture.download()
        await fixture.settle()
        #expect(fixture.library.calls.count { $0 == report } == 4)
        #expect(try await fixture.download("missing").status == .notFound)
    }

    @Test("content that is malformed, or has any member, is refused and reports nothing")
    func content() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        for (content, status) in [("{", 400), ("{\"x\":1}", 422), ("{}", 202)] {
            let (_, response) = try await fixture.ask("/v1/photos/p7/download", method: .post, content: content)
            #expect(response.status.code == status && response.pointer == [400: "", 422: "/x"][status])
            await fixture.settle()
            #expect(fixture.reports == (status == 202 ? 1 : 0))
        }
    }

    @Test("1,024 downloads wait, further ones are 503 with Retry-After, and prefetches are not affected")
    func bounded() async throws {
        let memory = MemoryBudget(limit: 1 << 20)
        let fixture = try PhotoFixture(rateLimit: 5000, memory: memory)
        _ = try await fixture.get("/v1/photos")
        fixture.library.close()
        var statuses: [Int: Int] = [:]
        for _ in 0..<1500 { statuses[try await fixture.download().status.code, default: 0] += 1 }
        #expect(statuses == [202: 1024, 503: 476])
        let refused = try await fixture.download(key: "k")
        #expect(refused.fields[.retryAfter] == "5" && refused.code == "overloaded")
        #expect(fixture.service.status.flights == 1, "and no task for each")
        #expect(memory.bytes > 1024 * 512)
        let prefetch = try await fixture.ask("/v1/photos/prefetch", method: .post, content: "{\"ids\":[\"p1\"]}")
        #expect(prefetch.response.status == .accepted)
        fixture.library.open()
        await fixture.settle()
        #expect(fixture.reports == 1024)
        #expect(try await fixture.download(key: "k").object()["repeated"].bool() == false, "a refusal notes no key")
        await fixture.settle()
        #expect(memory.bytes == 0)
        // All places are free again.
        fixture.library.close()
        for _ in 0..<1024 { #expect(try await fixture.download().status == .accepted) }
        fixture.library.open()
        await fixture.settle()
    }

    @Test("one client has at most half of the places, also while its reports wait for another attempt")
    func share() async throws {
        let (attempts, end) = AsyncStream.makeStream(of: Void.self)
        let fixture = try PhotoFixture(rateLimit: 5000) { _ in for await _ in attempts {} }
        _ = try await fixture.get("/v1/photos")
        fixture.library.set { $0.failure = .refused(405) }
        func download(from client: String) async throws -> Response {
            let target = Target("/v1/photos/p7/download")
            return try await fixture.application.respond(to: Request(method: .post, target: target, from: client))
                .value()
        }
        for _ in 0..<512 { #expect(try await download(from: "192.0.2.1").status == .accepted) }
        try await waitUntil { fixture.reports == 512 }
        let refused = try await download(from: "192.0.2.1")
        #expect(refused.code == "overloaded" && refused.fields[.retryAfter] == "5")
        #expect(try await download(from: "192.0.2.2").status == .accepted)
        fixture.library.set { $0.failure = nil }
        end.finish()
        await fixture.settle()
        #expect(try await download(from: "192.0.2.1").status == .accepted)
        await fixture.settle()
    }

    @Test("downloads that do not fit into the memory budget are refused")
    func budget() async throws {
        let memory = MemoryBudget(limit: 10_000)
        let fixture = try PhotoFixture(memory: memory)
        _ = try await fixture.get("/v1/photos")
        fixture.library.close()
        var accepted = 0
        while try await fixture.download().status == .accepted { accepted += 1 }
        #expect(15...19 ~= accepted)
        #expect(memory.bytes <= 10_000)
        fixture.library.open()
        await fixture.settle()
        #expect(memory.bytes == 0)
    }

    @Test(
        "a report is sent six times, with pauses from a second to an hour, or as long as the library asks for",
        arguments: [
            (UpstreamError.refused(405), [1, 10, 60, 600, 3600]), (.storeUnavailable, [1, 10, 60, 600, 3600]),
            (.rateLimited(retryAfter: .seconds(30)), [30, 30, 60, 600, 3600]),
            (.failed(.status(503, retryAfter: .seconds(20))), [20, 20, 60, 600, 3600]),
        ]
    )
    func pauses(error: UpstreamError, pauses: [Int]) async throws {
        let memory = MemoryBudget(limit: 10_000)
        let slept = Lock<[Duration]>([])
        let clock = TestClock()
        let fixture = try PhotoFixture(memory: memory, clock: clock) { duration in
            slept.withLock { $0.append(duration) }
            clock.advance(by: duration)
        }
        _ = try await fixture.get("/v1/photos")
        fixture.library.set { $0.failure = error }
        #expect(try await fixture.download().status == .accepted)
        try await waitUntil { slept.withLock(\.count) == 5 }
        await fixture.settle()
        #expect(slept.withLock { $0 } == pauses.map { .seconds($0) })
        #expect(fixture.reports == 6)
        #expect(memory.bytes == 0)
    }

    @Test("a report that has failed does not delay the next one")
    func failed() async throws {
        let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let fixture = try PhotoFixture { _ in
            pause.yield()
            for await _ in ends {}
        }
        _ = try await fixture.get("/v1/photos")
        fixture.library.set { $0.failure = .timedOut }
        #expect(try await fixture.download("p7").status == .accepted)
        for await _ in pauses { break }
        fixture.library.set { $0.failure = nil }
        #expect(try await fixture.download("p8").status == .accepted)
        try await waitUntil { fixture.library.calls.last?.contains("/p8/download") == true }
        end.finish()
        await fixture.settle()
        #expect(fixture.reports == 3 && fixture.library.calls.last?.contains("/p7/download") == true)
    }

    @Test("a key belongs to the token of its request")
    func keys() async throws {
        let tokens = ["token-a-of-the-tests", "token-b-of-the-tests"]
        let fixture = try PhotoFixture(tokens: tokens)
        _ = try await fixture.get("/v1/photos", fields: [.authorization: "Bearer \(tokens[0])"])
        for token in tokens {
            #expect(try await !fixture.download(key: "one", token: token).object()["repeated"].bool())
            #expect(try await fixture.download(key: "one", token: token).object()["repeated"].bool())
        }
        await fixture.settle()
        #expect(fixture.reports == 2)
    }
}
