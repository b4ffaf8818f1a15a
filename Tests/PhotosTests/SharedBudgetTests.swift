import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedState
import TestSupport
import Testing

@testable import PhotoLibrary
@testable import Photos

@Suite("The hour's budget of calls, shared by replicas")
struct SharedBudgetTests {
    /// Sends requests that cost a call each to random replicas, all at once; returns how many were answered with 200.
    private func storm(_ replicas: Replicas, photos: ClosedRange<Int>, seed: UInt64) async throws -> Int {
        var generator = SeededGenerator(seed: seed)
        let requests = photos.map { ($0, Int.random(in: 0..<replicas.all.count, using: &generator)) }
        return try await withThrowingTaskGroup(of: Response.self) { group in
            for (photo, replica) in requests {
                group.addTask { try await replicas.cold(photo, from: replica) }
            }
            var granted = 0
            for try await response in group {
                if response.status == .ok {
                    granted += 1
                } else {
                    #expect(response.code == "upstream-rate-limited")
                    #expect(response.fields[.retryAfter] != nil)
                }
            }
            return granted
        }
    }

    @Test("Three replicas together make as many calls as one may", arguments: 1...20)
    func limit(seed: UInt64) async throws {
        let replicas = try Replicas(3, rateLimit: 5)
        replicas.library.set { $0.remainingCalls = 40 }
        #expect(try await storm(replicas, photos: 1...30, seed: seed) == 5)
        #expect(replicas.library.calls.count == 5)
        for replica in 0..<3 { #expect(try await replicas.cold(40, from: replica).code == "upstream-rate-limited") }
        #expect(replicas.all.allSatisfy { $0.service.status.budget.remaining == 0 })
        // The time of the store was 2800 s before the end of an hour.
        replicas.time.advance(by: .seconds(2799))
        #expect(try await replicas.cold(40, from: 0).code == "upstream-rate-limited")
        replicas.time.advance(by: .seconds(1))
        #expect(replicas.all.allSatisfy { $0.service.status.budget.remaining == 5 })
        #expect(try await storm(replicas, photos: 41...70, seed: seed) == 5)
    }

    @Test("A refusal of the library pauses the replica that it reaches; the others make their own attempt")
    func refusedByLibrary() async throws {
        let replicas = try Replicas()
        replicas.library.set { $0.failure = .rateLimited(retryAfter: .seconds(4)) }
        for replica in 0..<2 {
            #expect(try await replicas.cold(1, from: replica).fields[.retryAfter] == "4")
            #expect(try await replicas.cold(2, from: replica).code == "upstream-rate-limited")
        }
        #expect(replicas.library.calls.count == 2)
        replicas.library.set { $0.failure = nil }
        replicas.time.advance(by: .seconds(4))
        for replica in 0..<2 { #expect(try await replicas.cold(2 + replica, from: replica).status == .ok) }
    }

    @Test("Background work leaves four fifths of the calls to clients, whichever replica they come to")
    func background() async throws {
        let replicas = try Replicas(rateLimit: 10)
        replicas.library.set { $0.remainingCalls = 40 }
        let budgets = replicas.all.map(\.service.answers.budget)
        try await budgets[0].enter(.background)
        try await budgets[1].enter(.background)
        for budget in budgets {
            await #expect(throws: UpstreamError.rateLimited(retryAfter: .seconds(2800))) {
                try await budget.enter(.background)
            }
            try await budget.enter(.client)
        }
    }

    @Test("The clocks of replicas may differ by hours: that of the store counts")
    func clocks() async throws {
        let replicas = try Replicas(rateLimit: 2)
        replicas.library.set { $0.remainingCalls = 48 }
        let clock = TestClock()
        clock.advance(seconds: 5 * 3600)
        let ahead = try replicas.replica(clock: clock)
        #expect(try await replicas.cold(1, from: 0).status == .ok)
        #expect(try await ahead.get("/v1/photos/p2?detail=full").status == .ok)
        for replica in replicas.all + [ahead] {
            #expect(try await replica.get("/v1/photos/p3?detail=full").code == "upstream-rate-limited")
            #expect(replica.service.status.budget.resets == .seconds(2800))
        }
        replicas.time.advance(by: .seconds(2800))
        #expect(try await replicas.cold(6, from: 1).status == .ok)
    }

    // MARK: Losses

    @Test("A store that was emptied or set back has the count again with the next call of a replica that knows it")
    func lostCount() async throws {
        let replicas = try Replicas(rateLimit: 6)
        replicas.library.set { $0.remainingCalls = 4000 }
        _ = try await replicas.cold(1, from: 0)
        let saved = replicas.store.contents
        for photo in 2...4 { _ = try await replicas.cold(photo, from: 0) }
        replicas.store.contents = saved
        #expect(try await replicas.cold(5, from: 0).status == .ok)
        replicas.store.forgetAll()
        #expect(try await replicas.cold(6, from: 0).status == .ok)
        for replica in [0, 1, 0] {
            #expect(try await replicas.cold(7, from: replica).code == "upstream-rate-limited")
        }
        #expect(replicas.library.calls.count == 6)
    }

    @Test("After a loss the library's own count ends the excess with the first answer of each replica")
    func libraryCount() async throws {
        let replicas = try Replicas(3, rateLimit: 10)
        for photo in 1...9 { _ = try await replicas.cold(photo, from: 0) }
        #expect(replicas.store.calls.count { $0.operation == .count } == 9, "one call of the store for each")
        replicas.store.forgetAll()
        replicas.library.set { $0.remainingCalls = 0 }
        // The others know nothing of the nine calls.
        for replica in [1, 2] {
            #expect(try await replicas.cold(10 + replica, from: replica).status == .ok)
            #expect(try await replicas.cold(20, from: replica).code == "upstream-rate-limited")
        }
        #expect(replicas.library.calls.count == 11)
    }

    @Test(
        "A call that the store may not have counted is not made",
        arguments: [SharedStateError.unavailable, .unknownOutcome, .full, .refused]
    )
    func uncounted(error: SharedStateError) async throws {
        let replicas = try Replicas()
        replicas.fail(error) { $0.operation == .count }
        #expect(try await replicas.cold(1, from: 0).code == "store-unavailable")
        #expect(replicas.library.calls.isEmpty)
        replicas.resume()
        #expect(try await replicas.cold(2, from: 0).status == .ok)
    }

    // MARK: The breaker

    @Test("The breaker is each replica's own, and a call that was not made gives its probe back")
    func breaker() async throws {
        let replicas = try Replicas()
        replicas.library.set { $0.failure = .failed(.status(500)) }
        for photo in 1...5 { #expect(try await replicas.cold(photo, from: 0).status == .badGateway) }
        replicas.library.set { $0.failure = nil }
        #expect(replicas.all.map(\.service.status.upstream) == ["down", "ok"])
        #expect(try await replicas.cold(10, from: 0).code == "upstream-error")
        #expect(try await replicas.cold(10, from: 1).status == .ok)
        replicas.time.advance(by: .seconds(2))
        replicas.fail(.unavailable)
        #expect(try await replicas.cold(11, from: 0).code == "store-unavailable")
        replicas.resume()
        #expect(try await replicas.cold(11, from: 0).status == .ok)
        #expect(replicas.all.map(\.service.status.upstream) == ["ok", "ok"])
    }
}
