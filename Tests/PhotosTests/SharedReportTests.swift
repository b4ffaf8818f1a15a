import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import Photos

@Suite("Download reports, shared by replicas")
struct SharedReportTests {
    private func replicas(_ library: FakeLibrary = FakeLibrary()) async throws -> PhotoReplicas {
        let replicas = try PhotoReplicas(2, library: library)
        for replica in replicas.all { #expect(try await replica.get("/v1/photos").status == .ok) }
        return replicas
    }

    private func post(_ fixture: PhotoFixture, key: String?, photo: String = "p7") async throws -> Response {
        let fields: Fields = key.map { [.idempotencyKey: $0] } ?? [:]
        return try await fixture.ask("/v1/photos/\(photo)/download", method: .post, fields: fields).response
    }

    private func reports(_ replicas: PhotoReplicas) -> Int {
        replicas.library.calls.count { $0.contains("/download") }
    }

    @Test("A download is reported once, whichever replica gets it")
    func once() async throws {
        let replicas = try await replicas()
        #expect(try await post(replicas[0], key: "one").object()["repeated"].bool() == false)
        #expect(try await post(replicas[1], key: "one").object()["repeated"].bool())
        #expect(try await post(replicas[0], key: "one").object()["repeated"].bool())
        let other = try await post(replicas[1], key: "one", photo: "p8")
        #expect(other.status.code == 422)
        #expect(other.code == "idempotency-key-reused")
        try await replicas.settle()
        #expect(reports(replicas) == 1)
        #expect(try await post(replicas[1], key: "two").object()["repeated"].bool() == false)
        for replica in replicas.all { #expect(try await post(replica, key: nil).status == .accepted) }
        try await replicas.settle()
        #expect(reports(replicas) == 4)
    }

    @Test("A key is remembered for a day by the time of the store")
    func day() async throws {
        let replicas = try await replicas()
        _ = try await post(replicas[0], key: "one")
        try await replicas.settle()
        replicas[1].wait(.seconds(86_400))
        replicas.clock.advance(seconds: 86_399)
        #expect(try await post(replicas[1], key: "one").object()["repeated"].bool())
        replicas.clock.advance(seconds: 1)
        #expect(try await post(replicas[1], key: "one").object()["repeated"].bool() == false)
    }

    @Test("Of equal downloads at the same time one is new", arguments: [false, true])
    func race(losesReplies: Bool) async throws {
        let replicas = try await replicas()
        try await replicas.settle()
        let lost = Lock(0)
        replicas.store.onCall { call in
            guard losesReplies, call.operation == .claim, call.key.hasPrefix("r2:") else { return .works }
            return lost.withLock { lost in
                lost += 1
                return lost <= 3 ? .losesReply : .works
            }
        }
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10 {
                group.addTask { try await post(replicas.all[number % 2], key: "one").object()["repeated"].bool() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { !$0 } == 1)
        try await replicas.settle()
        #expect(reports(replicas) == 1)
    }

    @Test("Without the store a key is 503, and the retry is reported")
    func away() async throws {
        let replicas = try await replicas()
        try await replicas.settle()
        replicas.interrupt()
        let response = try await post(replicas[0], key: "one")
        #expect(response.status == .serviceUnavailable)
        #expect(response.code == "store-unavailable")
        replicas.resume()
        #expect(try await post(replicas[1], key: "one").object()["repeated"].bool() == false)
        try await replicas.settle()
        #expect(reports(replicas) == 1)
    }

    @Test("A key that is possibly stored is accepted, and reported once", arguments: [1, 2, 4])
    func lostReplies(count: Int) async throws {
        let replicas = try await replicas()
        try await replicas.settle()
        let creations = Lock(0)
        replicas.store.onCall { call in
            guard call.operation == .claim, call.key.hasPrefix("r2:") else { return .works }
            return creations.withLock { creations in
                creations += 1
                return creations <= count ? .losesReply : .fails(.unavailable)
            }
        }
        #expect(try await post(replicas[0], key: "one").object()["repeated"].bool() == false)
        replicas.store.onCall { _ in .works }
        try await replicas.settle()
        #expect(try await post(replicas[1], key: "one").object()["repeated"].bool())
        try await replicas.settle()
        #expect(reports(replicas) == 1)
    }

    @Test("A report that was accepted is sent when the store is back")
    func laterGrant() async throws {
        let replicas = try await replicas()
        try await replicas.settle()
        let failures = Lock(0)
        replicas.store.onCall { call in
            if call.operation == .claim { return .works }
            return failures.withLock { failures in
                failures += 1
                return failures <= 3 ? .fails(.unavailable) : .works
            }
        }
        #expect(try await post(replicas[0], key: "one").status == .accepted)
        try await waitUntil { reports(replicas) == 1 }
        #expect(failures.withLock { $0 } > 3)
    }

    @Test("A stored key of a newer version is 503")
    func newer() async throws {
        let replicas = try await replicas()
        let value = [9] + RecordVersion(high: 1, low: 2).bytes + Array("p7".utf8)
        _ = try await replicas.store.claim("r2:0:one", value, timeToLive: .seconds(60))
        #expect(try await post(replicas[0], key: "one").code == "store-unavailable")
        try await replicas.settle()
        #expect(reports(replicas) == 0)
    }

    @Test("The place and the memory of a report that is repeated are free again")
    func places() async throws {
        let library = FakeLibrary()
        let memory = MemoryBudget(limit: 100_000)
        let clock = TestClock()
        let shared = AnswerStore(store: FakeStore { clock.now }, logger: .silent)
        let fixture = try PhotoFixture(library, memory: memory, shared: shared)
        _ = try await fixture.get("/v1/photos")
        for _ in 0..<ReportQueue.capacity + 10 { #expect(try await post(fixture, key: "one").status == .accepted) }
        await fixture.settle()
        #expect(memory.bytes == 0)
        #expect(fixture.service.reports.withLock { $0.queue.count } == 0)
    }
}
