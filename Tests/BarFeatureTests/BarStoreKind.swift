import BarFeature
import SharedState
import TestSupport
import Testing

/// The stores on which the tests of bars run.
enum BarStoreKind {
    case memory
    /// A shared store on several engines of the tests, as if they were one.
    case shared
    /// A shared store on a Redis server.
    case redis

    /// The store of the `BarAPI`s of the current test.
    @TaskLocal static var current = BarStoreKind.memory
}

/// Runs each test of a suite on several stores, one after the other.
///
/// Without an installed Redis the tests run on the other stores; see `RedisInstallationTests`.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
    let kinds: [BarStoreKind]

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> EveryStore? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for kind in kinds {
            try await BarStoreKind.$current.withValue(kind) {
                guard kind == .redis else { return try await function() }
                guard RedisServerProcess.isInstalled else { return }
                try await RealRedis.$current.withValue(try await RealRedis()) { try await function() }
            }
        }
    }
}

extension Trait where Self == EveryStore {
    /// Runs each test in memory, on a fake store, and on Redis.
    static var onEveryStore: EveryStore { EveryStore(kinds: [.memory, .shared, .redis]) }

    /// Runs a test of many thousand requests in memory and on a fake store.
    static var inProcess: EveryStore { EveryStore(kinds: [.memory, .shared]) }
}

@Suite("The stores of the tests")
struct RedisInstallationTests {
    @Test(
        "The tests of bars run on Redis, too",
        .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools")
    )
    func redis() async throws {
        let redis = try await RealRedis()
        try RealRedis.$current.withValue(redis) {
            try BarStoreKind.$current.withValue(.redis) {
                let api = try BarAPI()
                let path = try api.bar()
                #expect(api.post(path + "/events", Bodies.offset(1)).number("/revision") == 1)
                #expect(api.counters.connection.isAvailable)
            }
        }
    }
}
