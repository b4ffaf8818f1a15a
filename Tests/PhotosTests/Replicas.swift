import HTTPExchange
import PhotoLibrary
import Photos
import ServiceHarness
import SharedState
import TestSupport
import Testing

/// Replicas that share one store and one library; the test advances their time.
final class Replicas: Sendable {
    let time: StepClock
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
        let time = StepClock()
        let store = FakeStore { time.clock.now }
        let pause: @Sendable (Duration) async throws -> Void = { duration in
            if real { try await Task.sleep(for: duration) } else { try await time.sleep(for: duration) }
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
            if isStalled { try await time.sleep(for: .seconds(1_000_000)) } else { try await pause(duration) }
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
