import Logging
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
