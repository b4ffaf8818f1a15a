import Photos
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

/// Replicas that share pages in one store and one library; the test advances their time.
final class PageReplicas: Sendable {
    let time = StoppedTime()
    let store: FakeStore
    let library: FakeLibrary

    init(_ library: FakeLibrary = FakeLibrary()) {
        let time = time
        store = FakeStore { time.wall }
        self.library = library
    }

    /// Creates a replica, which uses the library of all unless it has one of its own.
    func replica(_ own: FakeLibrary? = nil, tokens: [String] = [], isStalled: Bool = false) throws -> PhotoFixture {
        try PhotoFixture(own ?? library, tokens: tokens, shared: photos(isStalled: isStalled), clock: time.clock)
    }

    /// The shared photos of a replica; a stalled one extends no claim.
    func photos(isStalled: Bool = false) -> AnswerStore {
        AnswerStore(
            store: store,
            logger: .silent,
            pause: { [time] in try await time.sleep(isStalled ? .seconds(1_000_000) : $0) }
        )
    }

    /// The keys of answers.
    var keys: [String] { store.keys.filter { $0.hasPrefix("a4:") } }

    /// Lets the calls fail that the condition names.
    func fail(_ error: SharedStateError, _ condition: @escaping @Sendable (FakeStore.Call) -> Bool = { _ in true }) {
        store.onCall { condition($0) ? .fails(error) : .works }
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

    let clock = PhotoClock()
    private let sleepers = Lock(Sleepers())

    /// The time of the shared store.
    var wall: WallTime { clock.wall }

    /// The number of tasks that sleep.
    var count: Int { sleepers.withLock(\.waiting.count) }

    /// Returns the number of tasks that wake within some time.
    func count(within time: Duration) -> Int {
        let end = clock.now.withLock { $0 } + time
        return sleepers.withLock { $0.waiting.values.count { $0.end <= end } }
    }

    func sleep(_ duration: Duration) async throws {
        let end = clock.now.withLock { $0 } + duration
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
        let now = clock.now.withLock { now in
            now += duration
            return now
        }
        let due = sleepers.withLock { sleepers in
            let due = sleepers.waiting.filter { $0.value.end <= now }
            for number in due.keys { sleepers.waiting[number] = nil }
            return due.values
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
