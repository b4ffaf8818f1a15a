import HTTPExchange
import HTTPTypes
import JSON
import Photos
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

/// The photo parts of several replicas on one store and one library.
struct PhotoReplicas {
    let clock = TestClock()
    let store: FakeStore
    let library: FakeLibrary
    let all: [PhotoFixture]

    init(_ count: Int = 3, rateLimit: Int = 50, library: FakeLibrary = FakeLibrary()) throws {
        let clock = clock
        let store = FakeStore { clock.now }
        self.store = store
        self.library = library
        all = try (0..<count).map { number in
            try PhotoReplicas.replica(number, on: store, library, rateLimit: rateLimit)
        }
    }

    /// Creates a replica; the number is the seed of its random numbers.
    static func replica(
        _ number: Int,
        on store: any SharedStore,
        _ library: FakeLibrary,
        rateLimit: Int
    ) throws -> PhotoFixture {
        let shared = AnswerStore(store: store, logger: .silent)
        return try PhotoFixture(library, rateLimit: rateLimit, shared: shared, seed: UInt64(number + 1) << 40)
    }

    subscript(number: Int) -> PhotoFixture { all[number] }

    /// Advances the time of the store and of all replicas.
    func pass(seconds: Int) {
        clock.advance(seconds: seconds)
        for replica in all { replica.wait(.seconds(seconds)) }
    }

    /// Waits until no fetch and no report is running.
    func settle() async throws {
        for replica in all { await replica.settle() }
    }

    /// Lets the store be away.
    func interrupt() {
        store.onCall { _ in .fails(.unavailable) }
    }

    /// Lets the store answer.
    func resume() {
        store.onCall { _ in .works }
    }

    /// Requests details of a photo that no replica has, which costs a call.
    func cold(_ photo: Int, from replica: Int) async throws -> Response {
        try await all[replica].get("/v1/photos/p\(photo)?detail=full")
    }
}
