import Logging
import Primitives
package import RedisClient
package import SharedState
import Synchronization
package import TestSupport
import Testing

/// A Redis server for one test, with a client.
package final class RealRedis: Sendable {
    /// The server of the current test.
    @TaskLocal package static var current: RealRedis?

    private let server: RedisServerProcess
    package let store: RedisStore

    package init() async throws {
        server = try RedisServerProcess()
        let configuration = RedisConfiguration(urls: [try RedisURL(server.url)], timeout: .seconds(20))
        let logger = Logger.silent
        store = try RedisStore(configuration, prefix: "t", logger: logger)
        let failure = await store.client.waitUntilReady()
        try #require(failure == nil)
        // Opens the connection for subscriptions: the first ones are sent when it is open, in any order.
        await waitForSubscription()
    }

    deinit {
        store.client.stop()
    }

    /// Waits until the messages of all writes so far were received.
    ///
    /// Redis sends the start of a subscription after them, on the same connection.
    package func receiveMessages() throws {
        try waiting { await self.waitForSubscription() }
    }

    private func waitForSubscription() async {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let end = store.watch("a key that is never written") { _ in start.yield() }
        defer { end() }
        for await _ in starts { return }
    }
}

/// A Redis for one `Service`: it has keys of its own, and its records end by the time of the test.
package final class RedisPart: CountingStore {
    private let base: RedisStore
    private let clock: TestClock
    private let number: Int
    private static let lastNumber = Atomic(0)

    /// The end of a record, and the number of records that the key had before.
    private struct Life: Sendable {
        var end: WallTime
        var earlier = 0
    }

    private let lives = Lock<[String: Life]>([:])

    package init(_ base: RedisStore, _ clock: TestClock) {
        self.base = base
        self.clock = clock
        number = RedisPart.lastNumber.add(1, ordering: .relaxed).newValue
    }

    /// The key in Redis; after the end of a record, another one.
    private func own(_ key: String) -> String {
        let now = clock.now
        let earlier = lives.withLock { lives in
            if let life = lives[key], life.end.milliseconds <= now.milliseconds { lives[key]?.earlier += 1 }
            return lives[key]?.earlier ?? 0
        }
        return "\(number):\(earlier):\(key)"
    }

    private func live(_ key: String, for time: Duration) {
        let end = WallTime(milliseconds: clock.now.milliseconds + Int(time.components.seconds) * 1000)
        lives.withLock { $0[key, default: Life(end: end)].end = end }
    }

    /// The bars that have not ended.
    package var barCount: Int {
        let now = clock.now
        let keys = lives.withLock { lives in
            lives.filter { $0.key.hasPrefix("b:") && $0.value.end.milliseconds > now.milliseconds }.map(\.key)
        }
        return
            (try? waiting { [self] in
                var count = 0
                for key in keys where try await read(key) != nil { count += 1 }
                return count
            }) ?? 0
    }

    package func create(_ key: String, _ record: [UInt8], timeToLive: Duration) async throws(SharedStateError)
        -> CommitResult
    {
        let result = try await base.create(own(key), record, timeToLive: timeToLive)
        if result == .done { live(key, for: timeToLive) }
        return result
    }

    package func read(_ key: String) async throws(SharedStateError) -> [UInt8]? { try await base.read(own(key)) }

    package func readWithLog(_ key: String, limit: Int) async throws(SharedStateError) -> LoggedRecord? {
        try await base.readWithLog(own(key), limit: limit)
    }

    package func commit(_ key: String, _ commit: Commit) async throws(SharedStateError) -> CommitResult {
        let result = try await base.commit(own(key), commit)
        if result == .done { live(key, for: commit.timeToLive) }
        return result
    }

    package func remove(_ key: String, base version: RecordVersion) async throws(SharedStateError) -> CommitResult {
        try await base.remove(own(key), base: version)
    }

    package func watch(_ key: String, _ receive: @escaping @Sendable (WatchEvent) -> Void) -> @Sendable () -> Void {
        base.watch(own(key), receive)
    }

    package func claim(_ key: String, _ value: [UInt8], timeToLive: Duration) async throws(SharedStateError) -> [UInt8]?
    {
        let present = try await base.claim(own(key), value, timeToLive: timeToLive)
        if present == nil { live(key, for: timeToLive) }
        return present
    }

    package func replace(_ key: String, claim: [UInt8], with value: [UInt8], timeToLive: Duration)
        async throws(SharedStateError) -> Bool
    {
        try await base.replace(own(key), claim: claim, with: value, timeToLive: timeToLive)
    }

    package func release(_ key: String, claim: [UInt8]) async throws(SharedStateError) -> Bool {
        try await base.release(own(key), claim: claim)
    }

    package func get(_ key: String) async throws(SharedStateError) -> [UInt8]? { try await base.get(own(key)) }

    package func put(_ values: [String: [UInt8]], timeToLive: Duration) async throws(SharedStateError) {
        try await base.put(
            Dictionary(uniqueKeysWithValues: values.map { (own($0), $1) }),
            timeToLive: timeToLive
        )
    }

    package func share(_ key: String, _ member: [UInt8], for time: Duration, limit: Int)
        async throws(SharedStateError) -> Bool
    {
        try await base.share(own(key), member, for: time, limit: limit)
    }

    package func release(_ key: String, member: [UInt8]) async throws(SharedStateError) {
        try await base.release(own(key), member: member)
    }

    package func count(_ key: String, known: HourlyCount, limit: Int) async throws(SharedStateError) -> CountedCall {
        try await base.count(own(key), known: known, limit: limit)
    }

    package var status: SharedStatus { base.status }
}
