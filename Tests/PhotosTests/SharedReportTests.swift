import HTTPExchange
import HTTPTypes
import JSON
import Photos
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

@Suite("Download reports, shared by replicas")
struct SharedReportTests {
    private func replicas() async throws -> Replicas {
        let replicas = try Replicas(real: true)
        for replica in replicas.all { #expect(try await replica.get("/v1/photos").status == .ok) }
        try await replicas.settle()
        return replicas
    }

    /// Decides on each call that claims the key of a download, by their number from 1 on.
    private func onClaims(_ replicas: Replicas, _ fate: @escaping @Sendable (Int) -> FakeStore.Fate) {
        let claims = Atomic(0)
        replicas.store.onCall { call in
            guard call.operation == .claim, call.key.hasPrefix("r2:") else { return .works }
            return fate(claims.add(1, ordering: .relaxed).newValue)
        }
    }

    @Test("A download is reported once, whichever replica gets it")
    func once() async throws {
        let replicas = try await replicas()
        #expect(try await replicas[0].download(key: "one").object()["repeated"].bool() == false)
        #expect(try await replicas[1].download(key: "one").object()["repeated"].bool())
        #expect(try await replicas[0].download(key: "one").object()["repeated"].bool())
        let other = try await replicas[1].download("p8", key: "one")
        #expect(other.status.code == 422)
        #expect(other.code == "idempotency-key-reused")
        try await replicas.settle()
        #expect(replicas[0].reports == 1)
        #expect(try await replicas[1].download(key: "two").object()["repeated"].bool() == false)
        for replica in replicas.all { #expect(try await replica.download().status == .accepted) }
        try await replicas.settle()
        #expect(replicas[0].reports == 4)
    }

    @Test("A key is remembered for a day by the time of the store")
    func day() async throws {
        let replicas = try await replicas()
        _ = try await replicas[0].download(key: "one")
        try await replicas.settle()
        replicas.time.advance(by: .seconds(86_399))
        #expect(try await replicas[1].download(key: "one").object()["repeated"].bool())
        replicas.time.advance(by: .seconds(1))
        #expect(try await replicas[1].download(key: "one").object()["repeated"].bool() == false)
    }

    @Test("Of equal downloads at the same time one is new", arguments: [false, true])
    func race(losesReplies: Bool) async throws {
        let replicas = try await replicas()
        onClaims(replicas) { losesReplies && $0 <= 3 ? .losesReply : .works }
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10 {
                group.addTask { try await replicas.all[number % 2].download(key: "one").object()["repeated"].bool() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { !$0 } == 1)
        try await replicas.settle()
        #expect(replicas[0].reports == 1)
    }

    @Test("Without the store a key is 503, and the retry is reported")
    func away() async throws {
        let replicas = try await replicas()
        replicas.fail(.unavailable)
        let response = try await replicas[0].download(key: "one")
        #expect(response.status == .serviceUnavailable)
        #expect(response.code == "store-unavailable")
        replicas.resume()
        #expect(try await replicas[1].download(key: "one").object()["repeated"].bool() == false)
        try await replicas.settle()
        #expect(replicas[0].reports == 1)
    }

    @Test("A key that is possibly stored is accepted, and reported once", arguments: [1, 2, 4])
    func lostReplies(count: Int) async throws {
        let replicas = try await replicas()
        onClaims(replicas) { $0 <= count ? .losesReply : .fails(.unavailable) }
        #expect(try await replicas[0].download(key: "one").object()["repeated"].bool() == false)
        replicas.resume()
        try await replicas.settle()
        #expect(try await replicas[1].download(key: "one").object()["repeated"].bool())
        try await replicas.settle()
        #expect(replicas[0].reports == 1)
    }

    @Test("A stored key of a newer version is 503")
    func newer() async throws {
        let replicas = try await replicas()
        let value = [9] + RecordVersion(high: 1, low: 2).bytes + Array("p7".utf8)
        _ = try await replicas.store.claim("r2:0:one", value, timeToLive: .seconds(60))
        #expect(try await replicas[0].download(key: "one").code == "store-unavailable")
        try await replicas.settle()
        #expect(replicas[0].reports == 0)
    }

    @Test("The place and the memory of a report that is repeated are free again")
    func places() async throws {
        let memory = MemoryBudget(limit: 100_000)
        let fixture = try PhotoFixture(memory: memory, shared: try Replicas(0, real: true).answers())
        _ = try await fixture.get("/v1/photos")
        for _ in 0..<1034 { #expect(try await fixture.download(key: "one").status == .accepted) }
        await fixture.settle()
        #expect(memory.bytes == 0)
    }
}
