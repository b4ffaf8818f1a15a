import Logging
import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import RedisClient

extension RedisClient {
    /// Sends a command and waits for its reply, which is not an error.
    func send(_ command: RedisCommand) async throws(RedisError) -> RedisReply {
        try (await submit(command).value(cancelled: nil) ?? .failure(.connectionLost)).get()
    }
}

/// A client that is stopped at the end of its test.
final class TestClient: Sendable {
    let client: RedisClient

    init(_ configuration: RedisConfiguration) throws {
        client = try RedisClient(configuration, logger: .silent)
    }

    convenience init(_ url: String, timeout: Duration = .seconds(10)) throws {
        try self.init(RedisConfiguration(urls: [RedisURL(url)], timeout: timeout))
    }

    convenience init(_ server: ScriptedServer, timeout: Duration = .seconds(10)) throws {
        try self.init("redis://127.0.0.1:\(server.port)", timeout: timeout)
    }

    /// Returns a client that is connected.
    static func ready(_ server: ScriptedServer, timeout: Duration = .seconds(10)) async throws -> TestClient {
        let client = try TestClient(server, timeout: timeout)
        try #require(await client.waitUntilReady() == nil)
        return client
    }

    deinit {
        client.stop()
    }

    /// Waits for the connection; the client is not stopped meanwhile.
    func waitUntilReady() async -> ConnectionFailure? { await client.waitUntilReady() }

    /// The state of the client.
    var status: SharedStatus { client.status }

    /// The last failure of a connection.
    var failure: ConnectionFailure? { client.health.failure }

    /// Sends a command and does not wait for its reply.
    func submit(_ words: RedisWord...) { _ = client.submit(RedisCommand(words)) }

    func send(_ words: RedisWord...) async -> Result<RedisReply, RedisError> {
        await send(RedisCommand(words))
    }

    func send(_ command: RedisCommand) async -> Result<RedisReply, RedisError> {
        do {
            return .success(try await client.send(command))
        } catch {
            return .failure(error)
        }
    }
}

/// A store that is connected, and stopped at the end of its test.
final class StoreFixture: Sendable {
    let store: RedisStore
    private let controls = Lock<[RedisClient]>([])

    init(
        _ urls: [String],
        prefix: String = "test",
        timeout: Duration = .seconds(2),
        replied: @escaping @Sendable (Duration) -> Void = { _ in }
    ) async throws {
        store = try Self.store(urls, prefix, timeout, replied)
        guard await store.client.waitUntilReady() == nil else { throw NotReady() }
    }

    deinit {
        store.client.stop()
        for client in controls.withLock({ $0 }) { client.stop() }
    }

    /// Returns the failure of a start.
    static func failure(_ urls: [String]) async throws -> ConnectionFailure? {
        let store = try store(urls, "test", .seconds(2)) { _ in }
        defer { store.client.stop() }
        return await store.client.waitUntilReady()
    }

    /// Returns another client of the server.
    func control(_ url: String) async throws -> RedisClient {
        let logger = Logger.silent
        let client = try RedisClient(RedisConfiguration(urls: [RedisURL(url)]), logger: logger)
        controls.withLock { $0.append(client) }
        guard await client.waitUntilReady() == nil else { throw NotReady() }
        return client
    }

    private static func store(
        _ urls: [String],
        _ prefix: String,
        _ timeout: Duration,
        _ replied: @escaping @Sendable (Duration) -> Void
    ) throws -> RedisStore {
        try RedisStore(
            RedisConfiguration(urls: try urls.map { try RedisURL($0) }, timeout: timeout),
            prefix: prefix,
            logger: .silent,
            replied: replied
        )
    }

    private struct NotReady: Error {}
}

/// The events of a watch.
final class Received: Sendable {
    private let events = Lock<[WatchEvent]>([])

    var all: [WatchEvent] { events.withLock { $0 } }

    func append(_ event: WatchEvent) {
        events.withLock { $0.append(event) }
    }
}
