import HTTPExchange
import Photos
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

/// Replicas that share one store and one library; the test advances their time.
final class Replicas: Sendable {
    let time: StoppedTime
    let store: FakeStore
    let library: FakeLibrary
    /// The replicas at the start.
    let all: [PhotoFixture]
    private let rateLimit: Int
    private let pause: @Sendable (Duration) async throws -> Void

    /// Creates replicas; the pauses of their calls of the store are in the time of the test unless they are `real`.
    init(
        _ count: Int = 2,
        _ library: FakeLibrary = FakeLibrary(),
        rateLimit: Int = 50,
        real: Bool = false
    ) throws {
        let time = StoppedTime()
        let store = FakeStore { time.clock.now }
        let pause: @Sendable (Duration) async throws -> Void = { duration in
            if real { try await Task.sleep(for: duration) } else { try await time.sleep(duration) }
        }
        (self.time, self.store, self.library, self.rateLimit, self.pause) = (time, store, library, rateLimit, pause)
        all = try (0..<count).map { _ in
            let shared = AnswerStore(store: store, logger: .silent, pause: pause)
            return try PhotoFixture(library, rateLimit: rateLimit, shared: shared, clock: time.clock)
        }
    }

    subscript(number: Int) -> PhotoFixture { all[number] }

    /// Creates a further replica, which may have a library, a clock or shared answers of its own.
    func replica(
        _ own: FakeLibrary? = nil,
        shared: AnswerStore? = nil,
        clock: TestClock? = nil
    ) throws -> PhotoFixture {
        try PhotoFixture(
            own ?? library,
            rateLimit: rateLimit,
            shared: shared ?? answers(),
            clock: clock ?? time.clock
        )
    }

    /// The shared answers of a replica; a stalled one extends no claim.
    func answers(isStalled: Bool = false) -> AnswerStore {
        let (time, pause) = (time, pause)
        return AnswerStore(store: store, logger: .silent) { duration in
            if isStalled { try await time.sleep(.seconds(1_000_000)) } else { try await pause(duration) }
        }
    }

    /// The keys of answers.
    var keys: [String] { store.keys.filter { $0.hasPrefix("a4:") } }

    /// Lets the calls fail that the condition names.
    func fail(_ error: SharedStateError, _ condition: @escaping @Sendable (FakeStore.Call) -> Bool = { _ in true }) {
        store.onCall { condition($0) ? .fails(error) : .works }
    }

    /// Lets the store answer.
    func resume() { store.onCall { _ in .works } }

    /// Waits until no fetch and no report is running.
    func settle() async throws {
        for replica in all { await replica.settle() }
    }

    /// Requests details of a photo that no replica has, which costs a call.
    func cold(_ photo: Int, from replica: Int) async throws -> Response {
        try await all[replica].get("/v1/photos/p\(photo)?detail=full")
    }
}

/// Time that the test advances, and the tasks that sleep in it.
final class StoppedTime: Sendable {
    private struct Sleeper {
        let end: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Sleepers {
        var last = 0
        var waiting: [Int: Sleeper] = [:]
    }

    let clock = TestClock()
    private let sleepers = Lock(Sleepers())

    /// The number of tasks that sleep.
    var count: Int { sleepers.withLock(\.waiting.count) }

    /// Returns the number of tasks that wake within some time.
    func count(within time: Duration) -> Int {
        let end = clock.instant + time
        return sleepers.withLock { $0.waiting.values.count { $0.end <= end } }
    }

    func sleep(_ duration: Duration) async throws {
        let end = clock.instant + duration
        let number = sleepers.withLock { sleepers in
            sleepers.last += 1
            return sleepers.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Cancellation waits for the lock, so it finds the sleeper if it comes after this look.
                let isCancelled = sleepers.withLock { sleepers in
                    if Task.isCancelled { return true }
                    sleepers.waiting[number] = Sleeper(end: end, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = sleepers.withLock { $0.waiting.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the time, and wakes the tasks that are due.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        let now = clock.instant
        let due = sleepers.withLock { sleepers in
            let due = sleepers.waiting.filter { $0.value.end <= now }
            for number in due.keys { sleepers.waiting[number] = nil }
            return due.values
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
