import HTTPExchange
import HTTPTypes
import JSON
import PhotoFeed
import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import SpringbarService

/// The photo parts of several replicas on one engine and one library.
struct PhotoReplicas {
    let clock = TestClock()
    let engine: FakeEngine
    let library: FakeLibrary
    let all: [PhotoFixture]

    init(_ count: Int = 3, rateLimit: Int = 50, library: FakeLibrary = FakeLibrary()) throws {
        let clock = clock
        let engine = FakeEngine { clock.now }
        self.engine = engine
        self.library = library
        all = try (0..<count).map { number in
            try PhotoReplicas.replica(number, on: engine, library, rateLimit: rateLimit)
        }
    }

    /// Creates a replica; the number is the seed of its random numbers.
    static func replica(
        _ number: Int,
        on engine: any SharedEngine,
        _ library: FakeLibrary,
        rateLimit: Int
    ) throws -> PhotoFixture {
        let shared = SharedPhotos(engine: engine, logger: .silent)
        return try PhotoFixture(library, rateLimit: rateLimit, shared: shared, seed: UInt64(number + 1) << 40)
    }

    subscript(number: Int) -> PhotoFixture { all[number] }

    /// Waits until the store has everything that the replicas report.
    func land() async throws {
        try await PhotoReplicas.land(all)
    }

    /// Waits until each replica has read the store, which it does when its watch begins, and none has a report left.
    ///
    /// The replicas are seen at rest twice, without a run between: the last write of one may make another one run that was
    /// seen at rest before it.
    static func land(_ replicas: [PhotoFixture]) async throws {
        var seen: [Int?] = []
        try await waitUntil {
            let runs = replicas.map { $0.service.status.flights == 0 ? $0.service.sharedBudget?.lastRun : nil }
            defer { seen = runs }
            return runs == seen && runs.allSatisfy { ($0 ?? 0) > 0 }
        }
    }

    /// The writes that were decided again because another replica had written.
    var conflicts: Int { all.reduce(0) { $0 + $1.service.storeConflicts } }

    /// Lets the store be away.
    func interrupt() {
        engine.onCall { _ in .fails(.unavailable) }
    }

    /// Lets the store answer.
    func resume() {
        engine.onCall { _ in .works }
    }

    /// Requests details of a photo that no replica has, which costs a call.
    func cold(_ photo: Int, from replica: Int) async throws -> Response {
        try await all[replica].get("/v1/photos/p\(photo)?detail=full")
    }
}

extension FakeEngine.Call {
    /// Whether the call may change the budget.
    var writesBudget: Bool { isWrite && key == StoredBudget.key }
}

extension Response {
    /// The last part of the type of a problem; nil for another answer.
    var code: String? {
        let type = try? json()["type"].string()
        return type?.split(separator: "/").last.map(String.init)
    }
}
