import Primitives
import RedisClient
import SharedState
import Synchronization
import TestSupport
import Testing

/// Tests the client with a cluster of fake servers, which change what they are and what they name.
@Suite("Client of a cluster that changes", .timeLimit(.minutes(1)))
struct ChangingClusterTests {
    typealias Connection = ScriptedServer.Connection

    /// Starts a server of a cluster, with the map that `map` returns for its port, and `reply` for commands.
    private static func member(
        _ map: @escaping @Sendable (_ port: Int) -> String,
        reply: @escaping @Sendable ([String]) -> String = { _ in "+member\r\n" }
    ) throws -> ScriptedServer {
        try ScriptedServer(isCluster: true) { $1 == ["CLUSTER", "SLOTS"] ? map($0.port) : reply($1) }
    }

    /// A key of slot 15,495.
    private let command = RedisCommand("GET", key: "a")

    @Test("a server alone under an address of the map gets no command")
    func aloneInMap() async throws {
        let alone = try ScriptedServer { _, _ in "+alone\r\n" }
        let server = try Self.member { Connection.slots([("127.0.0.1", alone.port, 99), ("127.0.0.1", $0, 16_383)]) }
        let client = try TestClient(server)
        try await waitUntil { client.failure == .notACluster }
        #expect(await client.send(command) == .success(.status("member")))
        #expect(await client.send(RedisCommand("GET", key: "")) == .failure(.notReady))
        withExtendedLifetime((alone, server)) {}
    }

    @Test("a server of a cluster that comes back alone gets no command")
    func aloneAfterRestart() async throws {
        let server = try ScriptedServer { connection in
            connection.greet(isCluster: connection.number == 0)
            connection.serve { command in
                let owners = [("127.0.0.1", connection.port, 16_383)]
                if command == ["CLUSTER", "SLOTS"] { return Connection.slots(owners) }
                if command == ["GET", "a"], connection.number == 0 { connection.end() }
                return "+alone\r\n"
            }
        }
        let client = try await TestClient.ready(server)
        #expect(await client.send(command) == .failure(.connectionLost))
        try await waitUntil { client.failure == .notACluster }
        #expect(await client.send(command) == .failure(.notReady))
    }

    @Test("a cluster that names its servers in another form is followed: after a failover the new owner is used")
    func otherForm() async throws {
        let isRenamed = Lock(false)
        let unused = RedisServerProcess.freePort()
        let server = try Self.member { port in
            isRenamed.withLock { $0 }
                ? Connection.slots([("localhost", port, 16_383)])
                : Connection.slots([("127.0.0.1", unused, 99), ("127.0.0.1", port, 16_383)])
        }
        let client = try TestClient(server)
        try await waitUntil { client.failure != nil }
        #expect(!client.status.isAvailable)
        isRenamed.withLock { $0 = true }
        try await waitUntil { client.status.isAvailable }
        #expect(await client.send(RedisCommand("GET", key: "")) == .success(.status("member")))
        #expect(client.failure == nil)
        withExtendedLifetime(server) {}
    }

    @Test("slots without a server are a failure, which is logged once and ends with it")
    func unassigned() async throws {
        let isWhole = Lock(false)
        let asked = Atomic(0)
        let log = RecordedLog()
        let server = try Self.member { port in
            asked.add(1, ordering: .relaxed)
            return Connection.slots([("127.0.0.1", port, isWhole.withLock { $0 } ? 16_383 : 8191)])
        }
        let url = try RedisURL("redis://127.0.0.1:\(server.port)")
        let client = try RedisClient(RedisConfiguration(urls: [url]), logger: log.logger)
        defer { client.stop() }
        try await waitUntil { log.texts.contains { $0.contains("slots without a server") } }
        try await waitUntil { asked.load(ordering: .relaxed) >= 5 }
        #expect(log.texts.count { $0.contains("slots without a server") } == 1)
        #expect(client.status.hasConnected && !client.status.isAvailable)
        isWhole.withLock { $0 = true }
        try await waitUntil { client.status.isAvailable }
        withExtendedLifetime(server) {}
    }

    @Test(
        "a shard that refuses commands makes the store unavailable for a while, and is logged once",
        arguments: ["CLUSTERDOWN The cluster is down", "NOREPLICAS Not enough", "MASTERDOWN Link"]
    )
    func down(text: String) async throws {
        let log = RecordedLog()
        let server = try Self.member({ Connection.slots([("127.0.0.1", $0, 16_383)]) }, reply: { _ in "-\(text)\r\n" })
        let url = try RedisURL("redis://127.0.0.1:\(server.port)")
        let store = try RedisStore(RedisConfiguration(urls: [url]), logger: log.logger)
        defer { store.client.stop() }
        #expect(await store.client.waitUntilReady() == nil)
        #expect(store.status.isAvailable)
        for _ in 0..<3 {
            await #expect(throws: SharedStateError.unavailable) { try await store.read("a") }
        }
        #expect(!store.status.isAvailable)
        #expect(log.texts.count { $0.contains(text) } == 1)
        #expect(store.status.reconnects == 0)
        withExtendedLifetime(server) {}
    }
}
