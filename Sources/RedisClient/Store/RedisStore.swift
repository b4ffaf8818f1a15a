package import Logging
import Primitives
package import SharedState
import Synchronization

/// The store of replicas on Redis: a key and a command, or a script, for each operation.
package final class RedisStore: SharedStore {
    /// The client, of which the owner of the store waits for the connection and ends the thread.
    package let client: RedisClient
    private let prefix: String
    private let logger: Logger
    /// When Redis has refused commands for want of a permission, or since a shard cannot run them: the first time and the
    /// last one.
    private let denials = Lock<ClosedRange<Instant>?>(nil)

    /// The time for which the store counts as unavailable after that.
    private static let denialTime = Duration.seconds(10)

    /// The longest time to live, which keeps Redis' own arithmetic in its range.
    private static let longestTimeToLive = Duration.seconds(10 * 365 * 86_400)

    /// Starts to connect, as a client does; keys and channels begin with the prefix and a colon.
    package init(
        _ configuration: RedisConfiguration,
        prefix: String = "sb",
        logger: Logger,
        replied: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(ConnectionFailure) {
        client = try RedisClient(configuration, logger: logger, replied: replied)
        self.prefix = prefix + ":"
        self.logger = logger
    }

    /// Uses every command of the store and of its scripts once; returns the failure of a missing permission.
    ///
    /// A script does not tell the name of a command that is missing, so its commands are sent by themselves. Their key is a
    /// string that ends soon: it has no list and no set, but Redis finds a missing permission first. All are sent in one batch,
    /// because between a subscription and its end the connection accepts nothing else.
    package func missingPermission() async -> ConnectionFailure? {
        let key = name("check:\(UInt64.random(in: .min ... .max))")
        let words: [(RedisWord, [RedisWord])] = [
            ("SET", ["1", "NX", "GET", "PX", "1000"]), ("GET", []), ("PEXPIRE", ["1000"]), ("RPUSH", ["1"]),
            ("LINDEX", ["0"]), ("LRANGE", ["0", "0"]), ("LLEN", []), ("LSET", ["0", "2"]), ("LTRIM", ["0", "0"]),
            ("ZADD", ["GT", "1", "1"]), ("ZCARD", []), ("ZSCORE", ["1"]), ("ZREM", ["1"]),
            ("ZREMRANGEBYSCORE", ["0", "0"]), ("DEL", []), ("SPUBLISH", [""]), ("SSUBSCRIBE", []), ("SUNSUBSCRIBE", []),
        ]
        var commands = [
            RedisCommand("TIME"), RedisCommand(RedisScript("return 1"), key: key),
            RedisCommand(["PUBSUB", "SHARDNUMSUB", .text(key)], key: key),
        ]
        if client.health.isCluster { commands.append(RedisCommand("ASKING")) }
        commands += words.map { RedisCommand($0, key: key, $1) }
        for result in client.submit(commands) {
            guard let outcome = await result.value(cancelled: nil) else { return nil }
            if case .failure(.refused(let fault)) = outcome, fault.isMissing { return .permission(fault) }
        }
        return nil
    }

    // MARK: Records

    package func create(_ key: String, _ record: [UInt8], timeToLive: Duration) async throws(SharedStateError)
        -> CommitResult
    {
        try await run(StoreScripts.create, key, [.bytes(record), milliseconds(timeToLive)]) { reply in
            reply == .null ? nil : StoreReplies.commit(reply)
        }
    }

    package func read(_ key: String) async throws(SharedStateError) -> [UInt8]? {
        let reply = try await run(RedisCommand("LINDEX", key: name(key), ["0"]))
        return reply == .null ? nil : try known(StoreReplies.record(reply), of: key)
    }

    package func readWithLog(_ key: String, limit: Int) async throws(SharedStateError) -> LoggedRecord? {
        // The record and the start come before the entries.
        let last = limit == .max ? -1 : max(0, min(limit, 1 << 31)) + 1
        let reply = try await run(RedisCommand("LRANGE", key: name(key), ["0", .integer(last)]))
        let elements = try known(reply.elements, of: key)
        return elements.isEmpty ? nil : try known(StoreReplies.log(elements), of: key)
    }

    package func commit(_ key: String, _ commit: Commit) async throws(SharedStateError) -> CommitResult {
        let script = commit.log == nil ? StoreScripts.shorten : StoreScripts.commit
        var arguments: [RedisWord] = [
            .bytes(commit.base.bytes), .bytes(commit.record), milliseconds(commit.timeToLive),
            .integer(commit.log?.dropping ?? -1), .bytes(commit.broadcast),
        ]
        if let start = commit.log?.start { arguments.append(.bytes(start)) }
        for entry in commit.log?.entries ?? [] { arguments.append(.bytes(entry)) }
        return try await run(script, key, arguments, StoreReplies.commit)
    }

    package func remove(_ key: String, base: RecordVersion) async throws(SharedStateError) -> CommitResult {
        try await run(StoreScripts.remove, key, [.bytes(base.bytes)], StoreReplies.commit)
    }

    package func watch(_ key: String, _ receive: @escaping @Sendable (WatchEvent) -> Void) -> @Sendable () -> Void {
        client.watch(name(key), receive)
    }

    // MARK: Values

    package func claim(_ key: String, _ value: [UInt8], timeToLive: Duration) async throws(SharedStateError)
        -> [UInt8]?
    {
        let words: [RedisWord] = [.bytes(value), "NX", "GET", "PX", milliseconds(timeToLive)]
        let reply = try await run(RedisCommand("SET", key: name(key), words).forValue())
        return reply == .null ? nil : try known(reply.bytes, of: key)
    }

    package func replace(_ key: String, claim: [UInt8], with value: [UInt8], timeToLive: Duration)
        async throws(SharedStateError) -> Bool
    {
        let arguments: [RedisWord] = [.bytes(claim), .bytes(value), milliseconds(timeToLive)]
        return try await run(StoreScripts.replace, key, arguments, StoreReplies.flag)
    }

    package func release(_ key: String, claim: [UInt8]) async throws(SharedStateError) -> Bool {
        try await run(StoreScripts.replace, key, [.bytes(claim)], StoreReplies.flag)
    }

    package func get(_ key: String) async throws(SharedStateError) -> [UInt8]? {
        let reply = try await run(RedisCommand("GET", key: name(key)).forValue())
        return reply == .null ? nil : try known(reply.bytes, of: key)
    }

    package func put(_ values: [String: [UInt8]], timeToLive: Duration) async throws(SharedStateError) {
        // All are submitted before the first reply is waited for, so they are sent in one write.
        let results = values.map { key, value in
            client.submit(RedisCommand("SET", key: name(key), [.bytes(value), "PX", milliseconds(timeToLive)]))
        }
        for result in results { _ = try reply(await result.value(cancelled: nil)) }
    }

    // MARK: Limits

    package func share(_ key: String, _ member: [UInt8], for time: Duration, limit: Int)
        async throws(SharedStateError) -> Bool
    {
        let arguments: [RedisWord] = [.bytes(member), milliseconds(time), .integer(limit)]
        return try await run(StoreScripts.share, key, arguments, StoreReplies.flag)
    }

    package func release(_ key: String, member: [UInt8]) async throws(SharedStateError) {
        _ = try await run(RedisCommand("ZREM", key: name(key), [.bytes(member)]))
    }

    package func count(_ key: String, known: HourlyCount, limit: Int) async throws(SharedStateError) -> CountedCall {
        let arguments: [RedisWord] = [.integer(known.hour), .integer(known.used), .integer(limit)]
        return try await run(StoreScripts.count, key, arguments, StoreReplies.count)
    }

    package var status: SharedStatus {
        var status = client.status
        if let denials = denials.withLock({ $0 }), denials.upperBound + Self.denialTime > .now {
            status.isAvailable = false
            status.since = denials.lowerBound
        }
        return status
    }

    // MARK: Commands

    private func run<Result>(
        _ script: RedisScript,
        _ key: String,
        _ arguments: [RedisWord],
        _ convert: (RedisReply) -> Result?
    ) async throws(SharedStateError) -> Result {
        try known(convert(try await run(RedisCommand(script, key: name(key), arguments))), of: key)
    }

    /// Sends a command and waits for its reply, or for the cancellation of the caller's task.
    private func run(_ command: RedisCommand) async throws(SharedStateError) -> RedisReply {
        if Task.isCancelled { throw .cancelled }
        return try reply(await client.submit(command).value(cancelled: nil))
    }

    private func reply(_ outcome: Result<RedisReply, RedisError>?) throws(SharedStateError) -> RedisReply {
        switch outcome {
        case nil: throw .cancelled
        case .success(let reply): return reply
        case .failure(.notReady): throw .unavailable
        case .failure(.connectionLost): throw .unknownOutcome
        case .failure(.refused(let fault)):
            if fault.code == "OOM" || fault.code == "MISCONF" { throw .full }
            // Another client's script runs for too long.
            if fault.code == "BUSY" { throw .unavailable }
            if fault.isClusterFault {
                if recordDenial() { logger.warning("Redis refuses commands", metadata: ["reason": "\(fault.text)"]) }
                throw .unavailable
            }
            if fault.isDenied { _ = recordDenial() }
            throw refusal(fault.text)
        }
    }

    /// Records that Redis, which is connected, does not run commands; returns whether it did until now.
    private func recordDenial() -> Bool {
        let now = Instant.now
        return denials.withLock { denials in
            let first = denials.flatMap { $0.upperBound + Self.denialTime > now ? $0.lowerBound : nil }
            denials = min(first ?? now, now)...now
            return first == nil
        }
    }

    /// The name of a key in Redis, which is also its channel.
    private func name(_ key: String) -> String { prefix + key }

    private func milliseconds(_ time: Duration) -> RedisWord {
        let time = min(max(time, .milliseconds(1)), Self.longestTimeToLive)
        return .integer(Int(time.wholeNanoseconds / 1_000_000))
    }

    /// Returns a converted reply; throws if it was not one of the operation.
    private func known<Value>(_ value: Value?, of key: String) throws(SharedStateError) -> Value {
        guard let value else { throw refusal("a reply is malformed: \(name(key))") }
        return value
    }

    private func refusal(_ reason: String) -> SharedStateError {
        logger.error("Redis refuses a command", metadata: ["reason": "\(reason)"])
        return .refused
    }
}
