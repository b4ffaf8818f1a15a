import Logging
import Primitives
import RedisClient
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import SpringbarService

/// A Redis server for one test, with a client.
final class RealRedis: Sendable {
    /// The server of the current test.
    @TaskLocal static var current: RealRedis?

    private let server: RedisServerProcess
    let engine: RedisEngine

    init() async throws {
        server = try RedisServerProcess()
        let configuration = RedisConfiguration(url: try RedisURL(server.url), timeout: .seconds(20))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        engine = try RedisEngine(configuration, prefix: "t", logger: logger)
        let failure = await engine.waitUntilReady()
        try #require(failure == nil)
    }

    deinit {
        engine.stop()
    }

    /// Waits until the messages of all writes so far were received.
    ///
    /// Redis sends the start of a subscription after them, on the same connection.
    func receiveMessages() throws {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let watch = engine.watch(SharedKey("a key that is never written")) { _ in start.yield() }
        defer { engine.unwatch(watch) }
        try waiting { for await _ in starts { return } }
    }
}

/// The part of a Redis that one `BarAPI` uses, with the time of the test.
final class RedisPart: SharedEngine {
    private let base: RedisEngine
    private let clock: TestClock
    private let number: Int
    /// The bars that were created here.
    private let created = Mutex<Set<SharedKey>>([])
    private static let lastNumber = Atomic(0)

    init(_ base: RedisEngine, _ clock: TestClock) {
        self.base = base
        self.clock = clock
        number = RedisPart.lastNumber.add(1, ordering: .relaxed).newValue
    }

    private func own(_ key: SharedKey) -> SharedKey { SharedKey("\(number):\(key.text)", isCounted: key.isCounted) }

    func create(
        _ key: SharedKey,
        _ value: SharedValue,
        timeToLive: Duration
    ) async throws(SharedStateError) -> SharedCreation {
        if key.isCounted { created.withLock { _ = $0.insert(key) } }
        return try await base.create(own(key), value, timeToLive: timeToLive)
    }

    func read(_ key: SharedKey) async throws(SharedStateError) -> SharedValue? {
        try await base.read(own(key))
    }

    func readWithLog(_ key: SharedKey) async throws(SharedStateError) -> SharedEntry? {
        try await base.readWithLog(own(key))
    }

    func exchange(_ key: SharedKey, _ write: SharedWrite) async throws(SharedStateError) -> SharedExchange {
        try await base.exchange(own(key), write)
    }

    func delete(_ key: SharedKey, base version: SharedVersion) async throws(SharedStateError) -> SharedExchange {
        try await base.delete(own(key), base: version)
    }

    func watch(_ key: SharedKey, _ receive: @escaping @Sendable (SharedEvent) -> Void) -> SharedWatch {
        base.watch(own(key), receive)
    }

    func unwatch(_ watch: SharedWatch) {
        base.unwatch(watch)
    }

    /// Counts the bars of this part that have not ended by the time of the test.
    func usage() async throws(SharedStateError) -> SharedUsage {
        var count = 0
        for key in created.withLock({ $0 }) {
            guard let value = try await read(key), let bar = try? SharedBar(value) else { continue }
            if bar.record.expiresAt.milliseconds > now.milliseconds { count += 1 }
        }
        return SharedUsage(keys: count, bytes: 0, maxBytes: nil)
    }

    var now: WallTime { clock.now }

    var status: SharedStatus { base.status }
}
