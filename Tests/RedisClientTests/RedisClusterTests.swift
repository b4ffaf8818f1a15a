import Foundation
import Primitives
import RedisClient
import SharedState
import Synchronization
import TestSupport
import Testing

@Suite(
    "A cluster of Redis servers",
    .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools"),
    .timeLimit(.minutes(3))
)
struct RedisClusterTests {
    private func store(_ urls: [String]) async throws -> StoreFixture { try await StoreFixture(urls) }

    /// A key whose slot a server owns at first, of three.
    private func key(onServer server: Int, number: Int = 0) -> String {
        let range = server * 16_384 / 3..<(server + 1) * 16_384 / 3
        let names = (0...).lazy.map { "key \(number) \($0)" }
        let name = names.first { range.contains(Int(KeySlot.slot(of: "test:" + $0))) }
        return name ?? ""
    }

    private func slot(_ key: String) -> Int { Int(KeySlot.slot(of: "test:" + key)) }

    @Test("While a slot moves nothing is lost, nothing fails, and a watch gets the last state")
    func slotMoves() async throws {
        let cluster = try RedisClusterProcesses()
        let fixture = try await store([cluster.url(1)])
        let (moving, other) = (key(onServer: 0), key(onServer: 0, number: 1))
        _ = try await fixture.store.create(moving, record(0), timeToLive: minute)
        let events = Received()
        let endWatch = fixture.store.watch(moving) { events.append($0) }
        try await waitUntil { events.all == [.ready] }
        #expect(try await fixture.store.commit(moving, commit(0, start: [0], entries: [[1]])) == .done)
        try await waitUntil { events.all.count == 2 }
        for (round, direction) in [(0, 2), (2, 0)].enumerated() {
            let base = UInt64(round * 2 + 1)
            try await cluster.move(slot: slot(moving), from: direction.0, to: direction.1) { () async throws in
                // The key is at the target, and the slot at the source: the target runs the command when it is asked.
                let result = try await fixture.store.commit(moving, commit(base, entries: [[1]]))
                #expect(result == .done)
            }
            #expect(try await fixture.store.commit(moving, commit(base + 1, entries: [[1]])) == .done)
        }
        #expect(try await fixture.store.readWithLog(moving, limit: .max)?.entries.count == 5)
        #expect(try await fixture.store.read(other) == nil)
        // The watch is ready again on the owner of the slot, and gets what is written then.
        try await waitUntil { events.all.count { $0 == .ready } >= 3 }
        #expect(try await fixture.store.commit(moving, commit(5, entries: [[1]])) == .done)
        try await waitUntil { events.all.contains(.written(record(6))) }
        endWatch()
        #expect(fixture.store.status.errors == 0)
    }

    @Test("A slot moves to a server that is in no map yet: it is connected, and runs the commands")
    func newServer() async throws {
        let isAsked = Lock(false)
        let target = try ScriptedServer(isCluster: true) { _, command in
            if command == ["ASKING"] { isAsked.withLock { $0 = true } }
            return command == ["GET", "a"] && isAsked.withLock { $0 } ? "+value\r\n" : "+OK\r\n"
        }
        let unused = RedisServerProcess.freePort()
        // The maps after the first redirection name the server: the client would leave a server that no map names.
        let isNamed = Lock(false)
        let source = try ScriptedServer(isCluster: true) { connection, command in
            switch command {
            case ["CLUSTER", "SLOTS"]:
                // Without hosts: all servers are at the address of this one.
                let own = "*2\r\n$-1\r\n:\(connection.port)\r\n"
                guard isNamed.withLock({ $0 }) else { return "*1\r\n*3\r\n:0\r\n:16383\r\n\(own)" }
                let last = "*3\r\n:16383\r\n:16383\r\n*2\r\n$-1\r\n:\(target.port)\r\n"
                return "*2\r\n*3\r\n:0\r\n:16382\r\n\(own)\(last)"
            case ["GET", "a"]:
                isNamed.withLock { $0 = true }
                return "-ASK 15495 127.0.0.1:\(target.port)\r\n"
            case ["GET", "b"]: return "-ASK 3300 127.0.0.1:\(unused)\r\n"
            default: return "+OK\r\n"
            }
        }
        let client = try await TestClient.ready(source)
        let command = RedisCommand("GET", key: "a")
        // The first command waits until the server is connected, and is not refused.
        for _ in 0..<5 { #expect(await client.send(command) == .success(.status("value"))) }
        #expect(target.connections == 1)
        // Nothing listens there.
        #expect(await client.send(RedisCommand("GET", key: "b")) == .failure(.notReady))
        #expect(client.status.pending == 0)
        withExtendedLifetime((source, target)) {}
    }

    @Test("Several addresses that are no cluster are refused, and a database other than 0 in one")
    func wrongAddresses() async throws {
        let servers = try (0..<2).map { _ in RedisServerProcess.freePort() }.map { port in
            (try RedisServerProcess(["--port", "\(port)"]), "redis://127.0.0.1:\(port)")
        }
        #expect(try await StoreFixture.failure(servers.map(\.1)) == .notACluster)
        let cluster = try RedisClusterProcesses()
        guard case .database = try await StoreFixture.failure([cluster.url() + "/1"]) else {
            Issue.record("a database of a cluster is accepted")
            return
        }
        withExtendedLifetime(servers) {}
    }
}
