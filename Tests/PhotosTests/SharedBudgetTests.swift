import HTTPExchange
import HTTPTypes
import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import Photos

@Suite("The hour's budget of calls, shared by replicas")
struct SharedBudgetTests {
    /// Sends requests that cost a call each to random replicas, all at once; returns how many were answered with 200.
    private func storm(_ replicas: PhotoReplicas, photos: ClosedRange<Int>, seed: UInt64) async throws -> Int {
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
        let replicas = try PhotoReplicas(rateLimit: 5)
        replicas.library.set { $0.remainingCalls = 40 }
        #expect(try await storm(replicas, photos: 1...30, seed: seed) == 5)
        #expect(replicas.library.calls.count == 5)
        try await replicas.settle()
        #expect(replicas.all.allSatisfy { $0.service.status.budget.remaining == 0 })
        // The time of the store was 2800 s before the end of an hour.
        replicas.pass(seconds: 2799)
        #expect(try await replicas.cold(40, from: 0).code == "upstream-rate-limited")
        replicas.pass(seconds: 1)
        #expect(replicas.all.allSatisfy { $0.service.status.budget.remaining == 5 })
        #expect(try await storm(replicas, photos: 41...70, seed: seed) == 5)
    }

    @Test("A call costs one call of the store")
    func roundTrips() async throws {
        let replicas = try PhotoReplicas()
        replicas.library.set { $0.remainingCalls = 49 }
        for photo in 1...3 { _ = try await replicas.cold(photo, from: 0) }
        try await waitUntil { replicas[0].service.status.flights == 0 }
        #expect(replicas.store.calls.count { $0.operation == .grant } == 3)
    }

    @Test("Lost replies of the store never lead to more calls", arguments: 1...20)
    func lostReplies(seed: UInt64) async throws {
        let replicas = try PhotoReplicas(rateLimit: 5)
        replicas.library.set { $0.remainingCalls = 40 }
        let generator = Lock(SeededGenerator(seed: seed))
        replicas.store.onCall { call in
            guard call.operation == .grant, generator.withLock({ $0.next() }).isMultiple(of: 4) else { return .works }
            return .losesReply
        }
        for photo in 1...30 { _ = try await replicas.cold(photo, from: photo % 3) }
        #expect((1...5).contains(replicas.library.calls.count))
        replicas.resume()
        #expect(try await replicas.cold(40, from: 0).code == "upstream-rate-limited")
    }

    @Test("The library's count in an answer to one replica counts for all")
    func observed() async throws {
        let replicas = try PhotoReplicas()
        replicas.library.set { $0.remainingCalls = 2 }
        #expect(try await replicas.cold(1, from: 0).status == .ok)
        try await replicas.settle()
        #expect(replicas.all.map(\.service.status.budget.remaining) == [2, 2, 2])
        #expect(try await storm(replicas, photos: 2...20, seed: 1) == 2)
        #expect(replicas.library.calls.count == 3)
    }

    @Test("A refusal of the library stops all replicas, and one of them makes the probe of a minute")
    func refusedByLibrary() async throws {
        let replicas = try PhotoReplicas()
        replicas.library.set { $0.failure = .rateLimited(retryAfter: .seconds(3600)) }
        #expect(try await replicas.cold(1, from: 0).fields[.retryAfter] == "60")
        try await replicas.settle()
        replicas.library.set { $0.failure = nil }
        for replica in 0..<3 { #expect(try await replicas.cold(2, from: replica).code == "upstream-rate-limited") }
        #expect(replicas.library.calls.count == 1)
        replicas.pass(seconds: 60)
        // The library gives no count, so the probe shows nothing.
        #expect(try await storm(replicas, photos: 3...20, seed: 1) == 1)
        #expect(replicas.library.calls.count == 2)
        // A count shows that a new hour of the library has begun, for all replicas.
        replicas.pass(seconds: 60)
        replicas.library.set { $0.remainingCalls = 48 }
        #expect(try await storm(replicas, photos: 21...40, seed: 2) >= 1)
        try await replicas.settle()
        #expect(replicas.all.allSatisfy { $0.service.status.budget.remaining > 0 })
        for replica in 0..<3 { #expect(try await replicas.cold(50 + replica, from: replica).status == .ok) }
    }

    @Test("Background work leaves four fifths of the calls to clients, whichever replica they come to")
    func background() async throws {
        let replicas = try PhotoReplicas(2, rateLimit: 10)
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
        let replicas = try PhotoReplicas(rateLimit: 2)
        replicas.library.set { $0.remainingCalls = 48 }
        replicas[1].wait(.seconds(5 * 3600))
        #expect(try await replicas.cold(1, from: 0).status == .ok)
        #expect(try await replicas.cold(2, from: 1).status == .ok)
        for (replica, photo) in [(0, 3), (1, 4), (2, 5)] {
            #expect(try await replicas.cold(photo, from: replica).code == "upstream-rate-limited")
        }
        #expect(replicas.all.map(\.service.status.budget.resets) == Array(repeating: .seconds(2800), count: 3))
        replicas.clock.advance(seconds: 2800)
        #expect(try await replicas.cold(6, from: 2).status == .ok)
    }

    // MARK: Losses

    /// One replica after the other makes a call; the store is emptied, goes back, and loses replies.
    ///
    /// A replica that runs knows of every call, since each tells and learns the state between two calls, as it does once a
    /// second.
    @Test("A store that loses the count never leads to more calls", arguments: 1...40)
    func losses(seed: UInt64) async throws {
        let limit = 8
        var generator = SeededGenerator(seed: seed)
        let replicas = try PhotoReplicas(3, rateLimit: limit, library: FakeLibrary(photos: 1000))
        replicas.library.set { $0.remainingCalls = 4000 }
        var all = replicas.all
        var saved = replicas.store.contents
        var photo = 0
        for _ in 0..<60 {
            switch Int.random(in: 0..<24, using: &generator) {
            case 0...1: replicas.store.forgetAll()
            case 2...3 where all.count < 5:
                let number = 10 + photo
                all.append(
                    try PhotoReplicas.replica(number, on: replicas.store, replicas.library, rateLimit: limit)
                )
            case 4 where all.count > 2:
                await all.remove(at: Int.random(in: 0..<all.count, using: &generator)).service.stop()
            case 5: saved = replicas.store.contents
            case 6: replicas.store.contents = saved
            default:
                let losses = Lock(generator)
                replicas.store.onCall { call in
                    guard call.operation == .grant else { return .works }
                    return losses.withLock { $0.next() }.isMultiple(of: 6) ? .losesReply : .works
                }
                photo += 1
                let replica = try #require(all.randomElement(using: &generator))
                _ = try await replica.get("/v1/photos/p\(photo)?detail=full")
                replicas.resume()
            }
            try await PhotoReplicas.settle(all)
            try #require(replicas.library.calls.count <= limit)
        }
        for replica in all {
            photo += 1
            while try await replica.get("/v1/photos/p\(photo)?detail=full").status == .ok { photo += 1 }
        }
        #expect(replicas.library.calls.count <= limit)
    }

    @Test("A store without a count grants nothing until every replica has told what it knows")
    func hold() async throws {
        let clock = TestClock()
        let store = FakeStore { clock.now }
        let library = FakeLibrary()
        library.set { $0.remainingCalls = 40 }
        let pauses = Lock(0)
        let knowing = Lock<CallBudget?>(nil)
        func replica() throws -> PhotoFixture {
            let shared = SharedPhotos(
                store: store,
                logger: .silent,
                hold: .seconds(2),
                pause: { duration in
                    try Task.checkCancellation()
                    pauses.withLock { $0 += 1 }
                    // The other replica tells its count meanwhile.
                    await knowing.withLock { $0 }?.report()
                    clock.advance(seconds: Int(duration.components.seconds))
                }
            )
            return try PhotoFixture(library, rateLimit: 5, shared: shared)
        }
        let (a, b) = (try replica(), try replica())
        // The very first call waits, too.
        for photo in 1...4 { #expect(try await a.get("/v1/photos/p\(photo)?detail=full").status == .ok) }
        knowing.withLock { $0 = a.service.answers.budget }
        store.forgetAll()
        #expect(try await b.get("/v1/photos/p5?detail=full").status == .ok)
        #expect(try await b.get("/v1/photos/p6?detail=full").code == "upstream-rate-limited")
        #expect(library.calls.count == 5)
        #expect(pauses.withLock { $0 } >= 2)
    }

    @Test("What a call reports while the store is away is stored with the next call")
    func lateReport() async throws {
        let replicas = try PhotoReplicas(2)
        _ = try await replicas.cold(1, from: 0)
        replicas.library.close()
        async let response = replicas.cold(2, from: 0)
        try await waitUntil { replicas.library.calls.count == 2 }
        replicas.interrupt()
        replicas.library.set { $0.remainingCalls = 3 }
        await replicas.library.openWhenWaiting()
        #expect(try await response.status == .ok)
        try await waitUntil { replicas[0].service.status.flights == 0 }
        replicas.library.set { $0.remainingCalls = nil }
        replicas.resume()
        #expect(try await replicas.cold(3, from: 0).status == .ok)
        try await replicas.settle()
        #expect(replicas[1].service.status.budget.remaining == 2)
    }

    @Test("A refusal of the last hour says nothing about the calls of this one")
    func refusalOfLastHour() async throws {
        let replicas = try PhotoReplicas(2)
        _ = try await replicas.cold(1, from: 0)
        replicas.interrupt()
        let budget = replicas[0].service.answers.budget
        _ = budget.leave(.rateLimited(retryAfter: .seconds(60)), remainingCalls: nil)
        replicas.pass(seconds: 2800)
        replicas.resume()
        #expect(try await replicas.cold(3, from: 0).status == .ok)
        try await replicas.settle()
        #expect(replicas[1].service.status.budget.remaining == 49)
    }

    @Test(
        "Nothing is fetched while the store is away",
        arguments: [SharedStateError.unavailable, .unknownOutcome, .full, .refused]
    )
    func away(error: SharedStateError) async throws {
        let replicas = try PhotoReplicas()
        #expect(try await replicas[0].get("/v1/photos").status == .ok)
        replicas.store.onCall { _ in .fails(error) }
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
        #expect(replicas.library.calls == ["/photos?page=1&per_page=30"])
    }

    // MARK: The breaker

    @Test("The breaker is each replica's own, and a call that was not made gives its probe back")
    func breaker() async throws {
        let replicas = try PhotoReplicas(2)
        replicas.library.set { $0.failure = .failed(.status(500)) }
        for photo in 1...5 { #expect(try await replicas.cold(photo, from: 0).status == .badGateway) }
        replicas.library.set { $0.failure = nil }
        #expect(replicas.all.map(\.service.status.upstream) == ["down", "ok"])
        #expect(try await replicas.cold(10, from: 0).code == "upstream-error")
        #expect(try await replicas.cold(10, from: 1).status == .ok)
        replicas.pass(seconds: 2)
        replicas.interrupt()
        #expect(try await replicas.cold(11, from: 0).code == "store-unavailable")
        replicas.resume()
        #expect(try await replicas.cold(11, from: 0).status == .ok)
        #expect(replicas.all.map(\.service.status.upstream) == ["ok", "ok"])
    }
}
