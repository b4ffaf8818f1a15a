package import Logging
package import Primitives
package import SharedState

/// The engine of values that replicas share, on one Redis server.
///
/// A key is a list: element 0 is the value, the others are its log. One script compares, trims, appends, expires and
/// publishes, so Redis does all of a write or nothing.
package final class RedisEngine: SharedEngine {
    private let client: RedisClient
    /// The start of every name, with its colon.
    private let prefix: String
    /// The name of the sorted set of all auxiliary keys.
    private let auxiliaryKeys: RedisWord
    private let watches: WatchTable
    private let clock: EngineClock
    private let logger: Logger

    /// The longest time to live, which keeps Redis' own arithmetic in its range.
    private static let longestTimeToLive = Duration.seconds(10 * 365 * 86_400)

    /// Starts to connect; keys and channels begin with the prefix and a colon.
    ///
    /// `replied` gets the time from each call to its reply, on the thread of the engine; it must return quickly.
    ///
    /// - Throws: `.tls` if the file of authorities cannot be used.
    package init(
        _ configuration: RedisConfiguration,
        prefix: String = "sb",
        logger: Logger,
        replied: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(ConnectionFailure) {
        // Its scripts have two keys.
        var configuration = configuration
        configuration.allowsCluster = false
        let clock = EngineClock()
        let watches = WatchTable(logger: logger)
        client = try RedisClient(configuration, logger: logger) { facts in
            clock.set(facts.time)
            if let policy = facts.evictionPolicy, policy != "noeviction" {
                let metadata: Logger.Metadata = ["policy": "\(policy)"]
                logger.warning("maxmemory-policy of Redis must be noeviction, or it deletes bars", metadata: metadata)
            }
        } received: { message in
            watches.take(message)
        } replied: { time in
            replied(time)
        }
        self.prefix = prefix + ":"
        auxiliaryKeys = .text(prefix + ":auxiliary")
        self.clock = clock
        self.watches = watches
        self.logger = logger
    }

    /// Waits until the connection is usable; returns a failure if it lasts until a setting is changed.
    ///
    /// While the server is unavailable, it waits until the caller's task is cancelled.
    package func waitUntilReady() async -> ConnectionFailure? { await client.waitUntilReady() }

    /// Ends the connections and the thread of the engine; blocks until the thread has ended.
    package func stop() {
        client.stop()
    }

    // MARK: Permissions

    /// Uses every command once; returns the failure of a missing permission.
    package func missingPermission() async -> ConnectionFailure? {
        let key = SharedKey("check:\(UInt64.random(in: .min ... .max))")
        let version = SharedVersion(high: 0, low: 0).bytes
        let list: [RedisWord] = [.bytes(version), .bytes(version), "1000"]
        return await client.missingPermission(for: [
            call(EngineScripts.create, key, [.bytes(version), "1000"]),
            call(EngineScripts.exchange, key, list + ["0", "", "a", "b"]),
            call(EngineScripts.exchange, key, list + ["1", "", "c"]),
            RedisCommand("LRANGE", name(key), "0", "-1"),
            RedisCommand(EngineScripts.count, keys: [auxiliaryKeys]),
            call(EngineScripts.delete, key, [.bytes(version)]),
        ])
    }

    // MARK: Values

    package func create(
        _ key: SharedKey,
        _ value: SharedValue,
        timeToLive: Duration
    ) async throws(SharedStateError) -> SharedCreation {
        let arguments: [RedisWord] = [.bytes(value.bytes), milliseconds(timeToLive)]
        let reply = try await run(call(EngineScripts.create, key, arguments))
        return reply == .integer(1) ? .created : .exists(try self.value(reply, of: key))
    }

    package func read(_ key: SharedKey) async throws(SharedStateError) -> SharedValue? {
        let reply = try await run(RedisCommand("LINDEX", name(key), "0"))
        return reply == .null ? nil : try value(reply, of: key)
    }

    package func readWithLog(_ key: SharedKey) async throws(SharedStateError) -> SharedEntry? {
        let reply = try await run(RedisCommand("LRANGE", name(key), "0", "-1"))
        guard let elements = reply.elements else { throw refusal(of: key, "a reply is not a list") }
        guard let first = elements.first else { return nil }
        var log: [[UInt8]] = []
        log.reserveCapacity(elements.count - 1)
        for element in elements.dropFirst() {
            guard let bytes = element.bytes else { throw refusal(of: key, "an entry is not a string") }
            log.append(bytes)
        }
        return SharedEntry(try value(first, of: key), log: log)
    }

    package func exchange(_ key: SharedKey, _ write: SharedWrite) async throws(SharedStateError) -> SharedExchange {
        if write.endsLog {
            let arguments: [RedisWord] = [
                .bytes(write.base.bytes), .bytes(write.value.bytes), milliseconds(write.timeToLive), .bytes(write.note),
            ]
            return try outcome(await run(call(EngineScripts.shorten, key, arguments)), of: key)
        }
        var arguments: [RedisWord] = [
            .bytes(write.base.bytes), .bytes(write.value.bytes), milliseconds(write.timeToLive),
            .integer(write.dropping), .bytes(write.note),
        ]
        for entry in write.appending { arguments.append(.bytes(entry)) }
        return try outcome(await run(call(EngineScripts.exchange, key, arguments)), of: key)
    }

    package func delete(_ key: SharedKey, base: SharedVersion) async throws(SharedStateError) -> SharedExchange {
        let reply = try await run(call(EngineScripts.delete, key, [.bytes(base.bytes)]))
        return try outcome(reply, of: key)
    }

    // MARK: Watches

    package func watch(_ key: SharedKey, _ receive: @escaping @Sendable (SharedEvent) -> Void) -> SharedWatch {
        let channel = channel(key)
        // For another watch of the channel, too: the reply to this command is the start of this watch.
        return watches.add(key, channel, receive) { client.subscribe(channel) }
    }

    package func unwatch(_ watch: SharedWatch) {
        let channel = channel(watch.key)
        watches.remove(watch, channel) { client.unsubscribe(channel) }
    }

    // MARK: State

    package func usage() async throws(SharedStateError) -> SharedUsage {
        let keys = try await run(RedisCommand(EngineScripts.count, keys: [auxiliaryKeys]))
        let memory = ServerInformation(try await run(RedisCommand("INFO", "memory")))
        guard let (usage, time) = EngineReplies.usage(keys, memory) else {
            throw refusal("a reply about the usage is malformed")
        }
        // The server's clock may be set while a connection is open.
        clock.set(time)
        return usage
    }

    package var now: WallTime { clock.now }

    package var status: SharedStatus {
        let status = client.status
        return SharedStatus(
            isAvailable: status.isReady,
            hasConnected: status.hasConnected,
            since: status.since,
            latency: status.latency,
            pending: status.pending,
            commands: status.commands,
            errors: status.errors,
            reconnects: status.reconnects
        )
    }

    // MARK: Commands

    /// Sends a command and waits for its reply, or for the cancellation of the caller's task.
    private func run(_ command: RedisCommand) async throws(SharedStateError) -> RedisReply {
        let result = PendingResult<Result<RedisReply, RedisError>?>()
        client.submit(command) { result.deliver($0) }
        switch await result.value(cancelled: nil) {
        case nil: throw .cancelled
        case .success(let reply): return reply
        case .failure(let error): throw sharedError(error)
        }
    }

    private func sharedError(_ error: RedisError) -> SharedStateError {
        switch error {
        case .notReady, .overloaded: .unavailable
        case .timedOut, .connectionLost: .unknownOutcome
        case .refused(let fault) where fault.isFull: .full
        // Another client's script runs for too long.
        case .refused(let fault) where fault.code == "BUSY": .unavailable
        case .refused(let fault): refusal(fault.text)
        }
    }

    private func call(_ script: EngineScript, _ key: SharedKey, _ arguments: [RedisWord]) -> RedisCommand {
        script.call(key, name: name(key), list: auxiliaryKeys, arguments)
    }

    private func name(_ key: SharedKey) -> RedisWord { .text(channel(key)) }

    /// The name of a key in Redis, which is also its channel.
    private func channel(_ key: SharedKey) -> String { prefix + key.text }

    private func milliseconds(_ time: Duration) -> RedisWord {
        let time = min(max(time, .milliseconds(1)), Self.longestTimeToLive)
        return .integer(Int(time.wholeNanoseconds / 1_000_000))
    }

    private func outcome(_ reply: RedisReply, of key: SharedKey) throws(SharedStateError) -> SharedExchange {
        switch reply {
        case .integer(1): .done
        case .null: .missing
        default: .conflict(try value(reply, of: key))
        }
    }

    private func value(_ reply: RedisReply, of key: SharedKey) throws(SharedStateError) -> SharedValue {
        guard let value = reply.bytes.flatMap({ SharedValue(stored: $0) }) else {
            throw refusal(of: key, "a value is too short for a version")
        }
        return value
    }

    private func refusal(of key: SharedKey, _ reason: String) -> SharedStateError {
        refusal("\(reason): \(channel(key))")
    }

    private func refusal(_ reason: String) -> SharedStateError {
        logger.error("Redis refuses a command", metadata: ["reason": "\(reason)"])
        return .refused
    }
}
