import Testing

/// The stores on which the tests of bars run.
enum BarStoreKind: CaseIterable {
    case memory
    /// A shared store on the engine of the tests.
    case shared

    /// The store of the `BarAPI`s of the current test.
    @TaskLocal static var current = BarStoreKind.memory
}

/// Runs each test of a suite on every store, one after the other.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> EveryStore? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for kind in BarStoreKind.allCases {
            try await BarStoreKind.$current.withValue(kind) { try await function() }
        }
    }
}

extension Trait where Self == EveryStore {
    static var onEveryStore: EveryStore { EveryStore() }
}
