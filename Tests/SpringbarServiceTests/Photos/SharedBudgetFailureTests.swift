import HTTPExchange
import HTTPTypes
import PhotoFeed
import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import SpringbarService

@Suite("The shared budget while the store is away, emptied or written by another version")
struct SharedBudgetFailureTests {
    @Test(
        "Nothing is fetched while the store is away",
        arguments: [SharedStateError.unavailable, .unknownOutcome, .full, .refused]
    )
    func away(error: SharedStateError) async throws {
        let replicas = try PhotoReplicas()
        #expect(try await replicas[0].get("/v1/photos").status == .ok)
        try await replicas.land()
        replicas.engine.onCall { _ in .fails(error) }
        let targets = [
            "/v1/photos/p1?detail=full", "/v1/search/photos?query=frog", "/v1/photos?page=4&perPage=30",
            "/v1/photos/unknown/image/thumb",
        ]
        for replica in [0, 1] {
            for target in targets {
                let response = try await replicas[replica].get(target)
                #expect(response.status == .serviceUnavailable)
                #expect(response.code == "store-unavailable")
                #expect(response.fields[.retryAfter] == "1")
                #expect(response.fields[.cacheControl] == "no-store")
            }
        }
        let raw = try await replicas[0].get("/unsplash/photos/p1")
        #expect(raw.status == .serviceUnavailable)
        #expect(raw.fields[.retryAfter] == "1")
        #expect(replicas.library.calls == ["editorial 1"])
    }

    @Test("What is kept is served while the store is away, up to a day")
    func kept() async throws {
        let replicas = try PhotoReplicas()
        #expect(try await replicas[0].get("/v1/photos").status == .ok)
        try await replicas.land()
        replicas.interrupt()
        #expect(try await replicas[0].get("/v1/photos").status == .ok)
        #expect(try await replicas[0].get("/v1/photos/p1/image/thumb").status == .ok, "an image is not of the budget")
        for hours in [1, 22] {
            replicas[0].wait(.seconds(hours * 3600))
            let response = try await replicas[0].get("/v1/photos")
            #expect(response.status == .ok)
            #expect(response.fields[.cacheStatus] == "photos; fwd=stale; detail=store-unavailable")
        }
        replicas[0].wait(.seconds(3600))
        #expect(try await replicas[0].get("/v1/photos").code == "store-unavailable")
        #expect(replicas.library.calls == ["editorial 1"])
        replicas.resume()
        #expect(try await replicas[0].get("/v1/photos").status == .ok)
    }

    @Test("What a call reports while the store is away is stored with the next call")
    func lateReport() async throws {
        let replicas = try PhotoReplicas()
        let response = try await endCallWhileAway(replicas) {
            $0.set { $0.rateLimit = UpstreamRateLimit(limit: 50, remaining: 3) }
        }
        #expect(response.status == .ok)
        replicas.resume()
        #expect(try await replicas.cold(3, from: 0).status == .ok)
        try await replicas.land()
        #expect(replicas[1].service.status.budgetRemaining == 2)
    }

    @Test("A report of the last hour says nothing about the calls of this one")
    func reportOfLastHour() async throws {
        let replicas = try PhotoReplicas()
        let response = try await endCallWhileAway(replicas) {
            $0.set { $0.failure = .rateLimited(retryAfter: .seconds(60)) }
        }
        #expect(response.code == "upstream-rate-limited")
        replicas.library.set { $0.failure = nil }
        replicas.clock.advance(seconds: 2800)
        replicas.resume()
        #expect(try await replicas.cold(3, from: 0).status == .ok)
        try await replicas.land()
        #expect(replicas[1].service.status.budgetRemaining == 49)
    }

    /// Makes a second call that ends while the store is away; returns its response.
    ///
    /// `report` sets the answer of the library.
    private func endCallWhileAway(
        _ replicas: PhotoReplicas,
        report: (FakeLibrary) -> Void
    ) async throws -> Response {
        _ = try await replicas.cold(1, from: 0)
        try await replicas.land()
        replicas.library.close()
        async let response = replicas.cold(2, from: 0)
        try await waitUntil { replicas.library.calls.count == 2 }
        replicas.interrupt()
        report(replicas.library)
        await replicas.library.openWhenWaiting()
        let result = try await response
        try await replicas.land()
        return result
    }

    @Test("After the store was emptied the budget has the calls that a replica knows of")
    func emptied() async throws {
        let replicas = try PhotoReplicas(rateLimit: 5)
        for photo in 1...3 { _ = try await replicas.cold(photo, from: 0) }
        try await replicas.land()
        replicas.engine.forgetAll()
        for photo in 4...9 { _ = try await replicas.cold(photo, from: photo % 3) }
        #expect(replicas.library.calls.count == 5)
    }

    @Test("After the store was emptied a new replica has the calls that the others know of before it makes one")
    func emptiedForNewReplica() async throws {
        let replicas = try PhotoReplicas(2, rateLimit: 5)
        replicas.library.set { $0.rateLimit = UpstreamRateLimit(limit: 5, remaining: 1) }
        _ = try await replicas.cold(1, from: 0)
        try await replicas.land()
        replicas.library.set { $0.rateLimit = nil }
        replicas.engine.forgetAll()
        let new = try PhotoReplicas.replica(7, on: replicas.engine, replicas.library, rateLimit: 5)
        try await PhotoReplicas.land(replicas.all + [new])
        // The library has said that one call is left.
        #expect(new.service.status.budgetRemaining == 1)
        #expect(try await new.get("/v1/photos/p2?detail=full").status == .ok)
        #expect(try await replicas.cold(4, from: 0).code == "upstream-rate-limited")
        #expect(try await replicas.cold(5, from: 1).code == "upstream-rate-limited")
        #expect(try await new.get("/v1/photos/p6?detail=full").code == "upstream-rate-limited")
        #expect(replicas.library.calls.count == 2)
    }

    @Test(
        "A state that cannot be read is not overwritten, and nothing is fetched",
        arguments: [[UInt8(2), 7, 7], [], [1], [1, 255] + Array(repeating: 0, count: 57)]
    )
    func unreadable(content: [UInt8]) async throws {
        let replicas = try PhotoReplicas()
        _ = try await replicas.cold(1, from: 0)
        try await replicas.land()
        let newer = SharedValue(SharedVersion(high: 1000, low: 1), content)
        replicas.engine.overwrite(StoredBudget.key, with: newer)
        let later = try PhotoReplicas.replica(7, on: replicas.engine, replicas.library, rateLimit: 50)
        #expect(try await later.get("/v1/photos").code == "store-unavailable")
        for replica in 0..<3 { #expect(try await replicas.cold(2, from: replica).code == "store-unavailable") }
        #expect(replicas[0].service.unreadableStates > 0)
        #expect(try await replicas.engine.read(StoredBudget.key) == newer)
        #expect(replicas.library.calls.count == 1)
    }

    @Test("A client that leaves before its call is granted makes no call, and its probe is given back")
    func leaves() async throws {
        let replicas = try PhotoReplicas()
        replicas.library.set { $0.failure = .timedOut }
        for photo in 1...5 { _ = try await replicas.cold(photo, from: 0) }
        try await replicas.land()
        replicas.library.set { $0.failure = nil }
        replicas.clock.advance(seconds: 2)
        let gate = FakeEngine.Gate()
        replicas.engine.onCall { $0.writesBudget ? .waits(gate) : .works }
        let request = Task { try await replicas[0].service.sharedBudget?.enter(.client) }
        try await waitUntil { gate.count == 1 }
        request.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await request.value }
        replicas.resume()
        gate.open()
        try await replicas.land()
        #expect(replicas.library.calls.count == 5)
        #expect(try await replicas.cold(6, from: 1).status == .ok)
    }

    @Test("After its stop a replica grants no call")
    func stopped() async throws {
        let replicas = try PhotoReplicas()
        let budget = try #require(replicas[0].service.sharedBudget)
        await budget.stop()
        await #expect(throws: UpstreamError.cancelled) { try await budget.enter(.client) }
        #expect(replicas.engine.watchCount == 2)
    }
}
