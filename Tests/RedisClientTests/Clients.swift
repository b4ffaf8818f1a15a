import Logging
import SharedState
import Synchronization
import TestSupport

@testable import RedisClient

/// A client that is stopped at the end of its test.
final class TestClient: Sendable {
    let client: RedisClient
    private let messages: Messages

    private final class Messages: Sendable {
        let all = Mutex<[RedisMessage]>([])
    }

    init(_ configuration: RedisConfiguration) throws {
        let messages = Messages()
        self.messages = messages
        client = try RedisClient(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { _ in
        } received: { message in
            messages.all.withLock { $0.append(message) }
        }
    }

    convenience init(_ url: String, timeout: Duration = .seconds(10)) throws {
        try self.init(RedisConfiguration(url: RedisURL(url), timeout: timeout))
    }

    convenience init(_ server: ScriptedServer, timeout: Duration = .seconds(10)) throws {
        try self.init("redis://127.0.0.1:\(server.port)", timeout: timeout)
    }

    deinit {
        client.stop()
    }

    /// Waits for the connection; the client is not stopped meanwhile.
    func waitUntilReady() async -> ConnectionFailure? { await client.waitUntilReady() }

    /// The state of the client.
    var status: RedisStatus { client.status }

    /// The events of the subscriptions.
    var received: [RedisMessage] { messages.all.withLock { $0 } }

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

/// An engine that is connected, and stopped at the end of its test.
final class EngineFixture: Sendable {
    let engine: RedisEngine
    private let controls = Mutex<[RedisClient]>([])

    init(
        _ url: String,
        prefix: String = "test",
        replied: @escaping @Sendable (Duration) -> Void = { _ in }
    ) async throws {
        let configuration = RedisConfiguration(url: try RedisURL(url))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        engine = try RedisEngine(configuration, prefix: prefix, logger: logger, replied: replied)
        guard await engine.waitUntilReady() == nil else { throw NotReady() }
    }

    deinit {
        engine.stop()
        for client in controls.withLock({ $0 }) { client.stop() }
    }

    /// Returns another client of the server.
    func control(_ url: String) async throws -> RedisClient {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = try RedisClient(RedisConfiguration(url: RedisURL(url)), logger: logger)
        controls.withLock { $0.append(client) }
        guard await client.waitUntilReady() == nil else { throw NotReady() }
        return client
    }

    private struct NotReady: Error {}
}

/// The events of a watch.
final class Received: Sendable {
    private let events = Mutex<[SharedEvent]>([])

    var all: [SharedEvent] { events.withLock { $0 } }

    func append(_ event: SharedEvent) {
        events.withLock { $0.append(event) }
    }
}
