import Primitives
import TestSupport
package import Testing

/// Where the service of a test runs, and where it keeps its bars.
package enum Engine: String {
    /// In process, with bars in memory.
    case process = "in process"
    /// In process, with bars in a fake of the shared store.
    case fakeStore = "a fake store"
    /// In process, with bars on a Redis server.
    case redis = "Redis"
    /// Behind a socket of the service's own server.
    case wire = "the wire"
    /// Behind a socket, and in front of it nginx.
    case nginx

    /// Whether bars are in a shared store.
    package var isShared: Bool { self == .fakeStore || self == .redis }

    /// The engine of every `Service` of the current test.
    @TaskLocal package static var current = Engine.process
}

/// Runs each test of a suite on several engines, one after the other; each failure names its engine.
///
/// Without its program an engine is left out, and `EngineTests` says so.
package struct EnginesTrait: SuiteTrait, TestTrait, TestScoping {
    let engines: [Engine]

    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> EnginesTrait? {
        testCase == nil ? nil : self
    }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for engine in engines {
            let naming = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append("engine: \(engine.rawValue)")
                return issue
            }
            try await naming.provideScope(for: test, testCase: testCase) {
                do {
                    try await engine.run(function)
                } catch {
                    Issue.record(error)
                }
            }
        }
    }
}

extension Trait where Self == EnginesTrait {
    /// Runs each test on these engines.
    package static func on(_ engines: Engine...) -> EnginesTrait { EnginesTrait(engines: engines) }

    /// Runs each test in process, with every store of bars.
    package static var onEveryStore: EnginesTrait { on(.process, .fakeStore, .redis) }

    /// Runs each test in process with every store, on the wire, and behind nginx.
    package static var everywhere: EnginesTrait { on(.process, .fakeStore, .redis, .wire, .nginx) }
}

extension Engine {
    /// Runs a test on this engine, and stops what it has started.
    fileprivate func run(_ test: @Sendable () async throws -> Void) async throws {
        try await Engine.$current.withValue(self) {
            switch self {
            case .process, .fakeStore: try await test()
            case .redis:
                guard RedisServerProcess.isInstalled else { return }
                try await RealRedis.$current.withValue(try await RealRedis()) { try await test() }
            case .wire, .nginx:
                guard self == .wire || NginxProcess.isInstalled else { return }
                let wires = Wires()
                do {
                    try await Wires.$current.withValue(wires) { try await test() }
                } catch {
                    await wires.stop()
                    throw error
                }
                await wires.stop()
            }
        }
    }
}
