import HTTPExchange
import HTTPTypes
import PhotoFeed
import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import SpringbarService

/// The number of calls in an hour is at most the limit, as long as one replica that runs knows of each call: the store may
/// be emptied, go back to an earlier state, lose replies and lose races.
///
/// Calls in flight while the store is emptied are possibly beyond the limit, because no other replica knows of them.
@Suite("The shared budget of a store that loses it")
struct SharedBudgetLossTests {
    private static let limit = 8

    private func replicas() throws -> PhotoReplicas {
        try PhotoReplicas(3, rateLimit: Self.limit, library: FakeLibrary(photos: 1000))
    }

    @Test("One call after the other: never more than the limit", arguments: 1...40)
    func oneByOne(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let replicas = try replicas()
        var all = replicas.all
        var saved = replicas.engine.contents
        var photo = 0
        var before = 0
        for _ in 0..<60 {
            switch Int.random(in: 0..<24, using: &generator) {
            case 0...1: replicas.engine.forgetAll()
            case 2...3 where all.count < 5:
                let number = 10 + photo
                all.append(
                    try PhotoReplicas.replica(number, on: replicas.engine, replicas.library, rateLimit: Self.limit)
                )
            case 4 where all.count > 2:
                await all.remove(at: Int.random(in: 0..<all.count, using: &generator)).service.stop()
            case 5: saved = replicas.engine.contents
            case 6:
                // An older copy of the store takes over, which interrupts the connections.
                replicas.engine.interruptWatches()
                replicas.engine.contents = saved
                replicas.engine.resumeWatches()
            case 7 where Int.random(in: 0..<4, using: &generator) == 0:
                let hour = 3_600_000
                let left = hour - replicas.clock.now.milliseconds % hour
                replicas.clock.advance(seconds: left / 1000)
                before = replicas.library.calls.count
            default:
                let losses = Mutex(generator)
                replicas.engine.onCall { call in
                    guard call.writesBudget else { return .works }
                    return losses.withLock { $0.next() }.isMultiple(of: 6) ? .losesReply : .works
                }
                photo += 1
                let replica = try #require(all.randomElement(using: &generator))
                _ = try await replica.get("/v1/photos/p\(photo)?detail=full")
            }
            try await PhotoReplicas.land(all)
            replicas.resume()
            try #require(replicas.library.calls.count - before <= Self.limit)
        }
        for replica in all {
            photo += 1
            while try await replica.get("/v1/photos/p\(photo)?detail=full").status == .ok { photo += 1 }
            try await PhotoReplicas.land(all)
        }
        #expect(replicas.library.calls.count - before <= Self.limit)
        #expect(all.allSatisfy { $0.service.status.budgetRemaining == 0 })
    }

    @Test("Calls at the same time: at most those in flight at a loss are beyond the limit", arguments: 1...20)
    func atOnce(seed: UInt64) async throws {
        let replicas = try replicas()
        try await replicas.land()
        let generator = Mutex(SeededGenerator(seed: seed))
        let losses = Atomic(0)
        let engine = replicas.engine
        engine.onCall { call in
            guard call.writesBudget else { return .works }
            switch generator.withLock({ $0.next() % 10 }) {
            case 0 where losses.add(1, ordering: .relaxed).newValue <= 2: engine.forgetAll()
            case 1: return .losesReply
            default: break
            }
            return .works
        }
        let inFlight = 3
        for wave in 0..<12 {
            await withTaskGroup(of: Void.self) { group in
                for number in 1...inFlight {
                    group.addTask { _ = try? await replicas.cold(wave * inFlight + number, from: number % 3) }
                }
            }
            try await replicas.land()
        }
        let lost = min(2, losses.load(ordering: .relaxed))
        #expect(replicas.library.calls.count <= Self.limit + lost * inFlight)
    }

    @Test("A replica restores the calls as soon as it learns of a write by one that knows less")
    func restores() async throws {
        let replicas = try PhotoReplicas(2, rateLimit: 5)
        for photo in 1...3 { _ = try await replicas.cold(photo, from: 0) }
        try await replicas.land()
        replicas.engine.forgetAll()
        let new = try PhotoReplicas.replica(7, on: replicas.engine, replicas.library, rateLimit: 5)
        try await PhotoReplicas.land(replicas.all + [new])
        #expect(new.service.status.budgetRemaining == 2)
        for photo in 4...9 { _ = try await new.get("/v1/photos/p\(photo)?detail=full") }
        #expect(replicas.library.calls.count == 5)
    }

    @Test("A state that arrives while an older one is read is kept")
    func arrival() async throws {
        let replicas = try PhotoReplicas(1, rateLimit: 5)
        _ = try await replicas.cold(1, from: 0)
        try await replicas.land()
        let gate = FakeEngine.Gate()
        replicas.engine.onCall { if case .read(StoredBudget.key) = $0 { .repliesLate(gate) } else { .works } }
        let new = try PhotoReplicas.replica(7, on: replicas.engine, replicas.library, rateLimit: 5)
        try await waitUntil { gate.count == 1 }
        replicas.engine.onCall { _ in .works }
        _ = try await replicas.cold(2, from: 0)
        try await replicas.land()
        gate.open()
        try await PhotoReplicas.land(replicas.all + [new])
        #expect(new.service.status.budgetRemaining == 3)
    }

    @Test("A creation is announced before it grants a call")
    func announcement() async throws {
        let engine = FakeEngine { WallTime(milliseconds: 1_700_000_000_000) }
        let first = Mutex<[SharedVersion]>([])
        let watch = engine.watch(StoredBudget.key) { event in
            if case .written(let bytes) = event, let version = SharedVersion(bytes) {
                first.withLock { $0.append(version) }
            }
        }
        let replica = try PhotoReplicas.replica(1, on: engine, FakeLibrary(), rateLimit: 5)
        try await PhotoReplicas.land([replica])
        #expect(first.withLock(\.count) == 1)
        let stored = try await engine.read(StoredBudget.key)
        #expect(stored?.version == first.withLock(\.first))
        #expect(replica.service.status.budgetRemaining == 5)
        engine.unwatch(watch)
    }
}
