import HTTPExchange
import HTTPTypes
import PhotoFeed
import Primitives
import RedisClient
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import SpringbarService

@Suite("The hour's budget of calls, shared by replicas")
struct SharedBudgetTests {
    /// Sends requests that cost a call each to random replicas, all at once; returns how many were answered with 200.
    ///
    /// The first writes of three replicas reach the store together, so two of them lose a race.
    private func storm(_ replicas: PhotoReplicas, photos: ClosedRange<Int>, seed: UInt64) async throws -> Int {
        var generator = SeededGenerator(seed: seed)
        let requests = photos.map { ($0, Int.random(in: 0..<replicas.all.count, using: &generator)) }
        let conflicts = replicas.conflicts
        let gate = FakeEngine.Gate()
        try await replicas.land()
        replicas.engine.onCall { $0.writesBudget ? .waits(gate) : .works }
        return try await withThrowingTaskGroup(of: Response.self) { group in
            for (photo, replica) in requests {
                group.addTask { try await replicas.cold(photo, from: replica) }
            }
            try await waitUntil { gate.count == 3 }
            replicas.resume()
            gate.open()
            var granted = 0
            for try await response in group {
                if response.status == .ok {
                    granted += 1
                } else {
                    #expect(response.code == "upstream-rate-limited")
                    #expect(response.fields[.retryAfter] != nil)
                }
            }
            #expect(replicas.conflicts >= conflicts + 2)
            return granted
        }
    }

    @Test("Three replicas together make as many calls as one may", arguments: 1...20)
    func limit(seed: UInt64) async throws {
        let replicas = try PhotoReplicas(rateLimit: 5)
        #expect(try await storm(replicas, photos: 1...30, seed: seed) == 5)
        #expect(replicas.library.calls.count == 5)
        try await replicas.land()
        #expect(replicas.all.allSatisfy { $0.service.status.budgetRemaining == 0 })
        // The time of the engine was 2800 s before the end of an hour.
        replicas.clock.advance(seconds: 2799)
        #expect(try await replicas.cold(40, from: 0).code == nil, "a probe a minute, since the library gave no count")
        replicas.clock.advance(seconds: 1)
        #expect(replicas.all.allSatisfy { $0.service.status.budgetRemaining == 5 })
        #expect(try await storm(replicas, photos: 41...70, seed: seed) == 5)
    }

    @Test("Lost replies of the store never lead to more calls", arguments: 1...20)
    func lostReplies(seed: UInt64) async throws {
        let replicas = try PhotoReplicas(rateLimit: 5)
        let generator = Mutex(SeededGenerator(seed: seed))
        replicas.engine.onCall { call in
            guard call.writesBudget, generator.withLock({ $0.next() }).isMultiple(of: 4) else { return .works }
            return .losesReply
        }
        let requests = 30
        for photo in 1...requests { _ = try await replicas.cold(photo, from: photo % 3) }
        #expect((1...5).contains(replicas.library.calls.count))
        // The replies of two writes of one call were not lost, so the call was either made or refused.
        try await replicas.land()
        replicas.resume()
        #expect(try await replicas.cold(40, from: 0).code == "upstream-rate-limited")
    }

    @Test("A write is recognised after its reply was lost, and its call is made once")
    func ownWrite() async throws {
        let replicas = try PhotoReplicas(2, rateLimit: 5)
        _ = try await replicas.cold(1, from: 0)
        try await replicas.land()
        let isLost = Mutex(false)
        replicas.engine.onCall { call in
            guard call.writesBudget else { return .works }
            return isLost.withLock { isLost in
                defer { isLost = true }
                return isLost ? .works : .losesReply
            }
        }
        #expect(try await replicas.cold(2, from: 0).status == .ok)
        try await replicas.land()
        #expect(replicas[1].service.status.budgetRemaining == 3)
        #expect(replicas.library.calls == ["photo p1", "photo p2"])
    }

    @Test("A call costs one round trip before it, and one after it")
    func roundTrips() async throws {
        let replicas = try PhotoReplicas()
        for replica in 0..<2 {
            _ = try await replicas.cold(10 + replica, from: replica)
            try await replicas.land()
        }
        func calls() -> Int { replicas.engine.calls.count { $0.key == StoredBudget.key } }
        let before = calls()
        replicas.library.close()
        async let response = replicas.cold(2, from: 1)
        try await waitUntil { replicas.library.calls.count == 3 }
        #expect(calls() - before == 1)
        replicas.library.set { $0.rateLimit = UpstreamRateLimit(limit: 50, remaining: 40) }
        await replicas.library.openWhenWaiting()
        #expect(try await response.status == .ok)
        try await replicas.land()
        #expect(calls() - before == 2)
    }

    @Test("The library's count in an answer to one replica counts for all")
    func observed() async throws {
        let replicas = try PhotoReplicas()
        replicas.library.set { $0.rateLimit = UpstreamRateLimit(limit: 50, remaining: 2) }
        #expect(try await replicas.cold(1, from: 0).status == .ok)
        try await replicas.land()
        #expect(replicas.all.map(\.service.status.budgetRemaining) == [2, 2, 2])
        #expect(try await storm(replicas, photos: 2...20, seed: 1) == 2)
        #expect(replicas.library.calls.count == 3)
    }

    @Test("A refusal of the library stops all replicas, and one of them makes the probe")
    func refusedByLibrary() async throws {
        let replicas = try PhotoReplicas()
        replicas.library.set { $0.failure = .rateLimited(retryAfter: .seconds(3600)) }
        #expect(try await replicas.cold(1, from: 0).fields[.retryAfter] == "60")
        try await replicas.land()
        replicas.library.set { $0.failure = nil }
        for replica in 0..<3 { #expect(try await replicas.cold(2, from: replica).code == "upstream-rate-limited") }
        #expect(replicas.library.calls.count == 1)
        replicas.clock.advance(seconds: 60)
        #expect(try await storm(replicas, photos: 3...20, seed: 1) == 1)
        #expect(replicas.library.calls.count == 2)
    }

    @Test("The clocks of replicas may differ by hours: that of the engine counts")
    func clocks() async throws {
        let replicas = try PhotoReplicas(rateLimit: 2)
        replicas[1].wait(.seconds(5 * 3600))
        #expect(try await replicas.cold(1, from: 0).status == .ok)
        #expect(try await replicas.cold(2, from: 1).status == .ok)
        try await replicas.land()
        for (replica, photo) in [(0, 3), (1, 4), (2, 5)] {
            #expect(try await replicas.cold(photo, from: replica).code == "upstream-rate-limited")
        }
        #expect(replicas.all.map(\.service.status.budgetResets) == Array(repeating: .seconds(2800), count: 3))
        replicas.clock.advance(seconds: 2800)
        #expect(try await replicas.cold(6, from: 2).status == .ok)
    }

    @Test("A replica that starts later has the numbers of the others at once")
    func laterReplica() async throws {
        let replicas = try PhotoReplicas(1)
        for photo in 1...3 { _ = try await replicas.cold(photo, from: 0) }
        try await replicas.land()
        let later = try PhotoReplicas.replica(7, on: replicas.engine, replicas.library, rateLimit: 50)
        try await PhotoReplicas.land([later])
        #expect(later.service.status.budgetRemaining == 47)
        let calls = replicas.engine.calls.count
        _ = later.service.status
        #expect(replicas.engine.calls.count == calls)
    }

    @Test("Two replicas on Redis make as many calls as one may", .enabled(if: RedisServerProcess.isInstalled))
    func redis() async throws {
        let redis = try await RealRedis()
        let hour = redis.engine.now.milliseconds / 3_600_000
        let library = FakeLibrary()
        let replicas = try (0..<2).map { number in
            try PhotoReplicas.replica(number, on: redis.engine, library, rateLimit: 5)
        }
        let codes = try await withThrowingTaskGroup(of: String?.self) { group in
            for photo in 1...30 {
                group.addTask { try await replicas[photo % 2].get("/v1/photos/p\(photo)?detail=full").code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == library.calls.count)
        #expect(codes.count { $0 == "upstream-rate-limited" } == 30 - library.calls.count)
        try await PhotoReplicas.land(replicas)
        // Redis has the clock of the machine.
        if redis.engine.now.milliseconds / 3_600_000 == hour {
            #expect(library.calls.count == 5)
            try await waitUntil { replicas.allSatisfy { $0.service.status.budgetRemaining == 0 } }
        }
        for replica in replicas { await replica.service.stop() }
    }
}

/// The codes of responses, in the order of their arrival.
private final class Codes: Sendable {
    private let codes = Mutex<[String?]>([])

    var all: [String?] { codes.withLock { $0 } }

    func add(_ code: String?) { codes.withLock { $0.append(code) } }
}

@Suite("The circuit breaker, shared by replicas")
struct SharedBreakerTests {
    /// Lets a replica fail until the breaker opens.
    private func opened() async throws -> PhotoReplicas {
        let replicas = try PhotoReplicas()
        replicas.library.set { $0.failure = .failed(.status(500)) }
        for photo in 1...5 { #expect(try await replicas.cold(photo, from: 0).status == .badGateway) }
        try await replicas.land()
        return replicas
    }

    @Test("Failures of one replica stop all")
    func opens() async throws {
        let replicas = try await opened()
        replicas.library.set { $0.failure = nil }
        #expect(replicas.all.map(\.service.status.upstream) == ["down", "down", "down"])
        for replica in 0..<3 {
            let response = try await replicas.cold(10, from: replica)
            #expect(response.code == "upstream-error")
            #expect(response.fields[.retryAfter] == "2")
        }
        #expect(replicas.library.calls.count == 5)
    }

    @Test("Failures of several replicas are counted together, and a success of any ends the row")
    func row() async throws {
        let replicas = try PhotoReplicas()
        func fail(_ photo: Int, _ replica: Int) async throws {
            replicas.library.set { $0.failure = .timedOut }
            _ = try await replicas.cold(photo, from: replica)
            try await replicas.land()
        }
        for photo in 1...4 { try await fail(photo, photo % 3) }
        replicas.library.set { $0.failure = nil }
        #expect(try await replicas.cold(5, from: 0).status == .ok)
        try await replicas.land()
        for photo in 6...9 { try await fail(photo, photo % 3) }
        #expect(replicas[0].service.status.upstream == "degraded")
        try await fail(10, 2)
        #expect(replicas[0].service.status.upstream == "down")
    }

    @Test("One probe is allowed for all replicas, and its success is one for all")
    func probe() async throws {
        let replicas = try await opened()
        replicas.library.set { $0.failure = nil }
        replicas.library.close()
        replicas.clock.advance(seconds: 2)
        let codes = Codes()
        let requests = (10...21).map { photo in
            Task {
                let code = try await replicas.cold(photo, from: photo % 3).code
                codes.add(code)
            }
        }
        try await waitUntil { codes.all.count == 11 }
        #expect(replicas.library.calls.count == 6)
        await replicas.library.openWhenWaiting()
        for request in requests { try await request.value }
        #expect(codes.all.count { $0 == "upstream-error" } == 11)
        try await replicas.land()
        for replica in 0..<3 { #expect(try await replicas.cold(30 + replica, from: replica).status == .ok) }
    }

    @Test("A refusal on an old copy is decided on the present state")
    func oldCopy() async throws {
        let replicas = try await opened()
        replicas.library.set { $0.failure = nil }
        replicas.library.close()
        replicas.clock.advance(seconds: 2)
        async let probe = replicas.cold(10, from: 0)
        try await waitUntil { replicas.library.calls.count == 6 }
        #expect(try await replicas.cold(11, from: 1).code == "upstream-error")
        replicas.engine.interruptWatches()
        await replicas.library.openWhenWaiting()
        #expect(try await probe.status == .ok)
        try await replicas.land()
        #expect(replicas[1].service.status.upstream == "down", "the copy is old")
        #expect(try await replicas.cold(12, from: 1).status == .ok)
    }

    @Test("A probe without a report is followed by another one after a minute")
    func lostProbe() async throws {
        let replicas = try await opened()
        replicas.library.set { $0.failure = nil }
        replicas.library.close()
        replicas.clock.advance(seconds: 2)
        async let lost = replicas.cold(10, from: 0)
        try await waitUntil { replicas.library.calls.count == 6 }
        #expect(try await replicas.cold(11, from: 1).code == "upstream-error")
        replicas.clock.advance(seconds: 60)
        async let next = replicas.cold(12, from: 1)
        try await waitUntil { replicas.library.calls.count == 7 }
        #expect(try await replicas.cold(13, from: 2).code == "upstream-error")
        await replicas.library.openWhenWaiting()
        #expect(try await [lost.status, next.status] == [.ok, .ok])
    }
}
