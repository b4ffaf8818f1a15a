import Glibc
import Network
import Primitives
import RedisClient
import SharedState
import Synchronization
import TestSupport
import Testing

/// Tests the client with a server that answers whatever costs the most.
@Suite("Client of a server that lies", .timeLimit(.minutes(1)))
struct LyingServerTests {
    typealias Connection = ScriptedServer.Connection

    private static func count(of path: String) -> Int {
        guard let directory = opendir("/proc/self/\(path)") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    /// A socket on all addresses of this machine; the kernel connects its clients, and none is answered.
    private static func silentPort() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(descriptor, 4096) == 0
            }
        }
        try #require(isListening)
        return (descriptor, try #require(SocketAddress.port(of: descriptor)))
    }

    @Test("a cluster that names new servers in every map gets a bounded number of descriptors")
    func manyServers() async throws {
        let silent = try Self.silentPort()
        defer { close(silent.descriptor) }
        let maps = Shared(0)
        let server = try ScriptedServer(isCluster: true) { connection, command in
            let number = maps.change { count in
                count += 1
                return count
            }
            // Each of the others owns a slot.
            let others = (0..<200).map { ("127.1.\(number % 250).\($0 + 1)", silent.port, $0) }
            return Connection.slots(others + [("127.0.0.1", connection.port, 16_383)])
        }
        let before = Self.count(of: "fd")
        let client = try TestClient(server)
        try await waitUntil(within: .seconds(30)) { maps.current >= 15 }
        // 15 maps name 3,000 servers. Those of one are connected, and as many may be closing.
        #expect(Self.count(of: "fd") - before < 2 * 256 + 20)
        withExtendedLifetime(client) {}
    }

    @Test("a server alone cannot send a command elsewhere")
    func movedByOne() async throws {
        let server = try ScriptedServer { _, _ in "-MOVED 7 127.0.0.1:1\r\n" }
        let client = try await TestClient.ready(server)
        for _ in 0..<20 {
            #expect(await client.send("GET", "a") == .failure(.refused(RedisFault("MOVED 7 127.0.0.1:1"))))
        }
        #expect(server.connections == 1)
    }

    @Test(
        "a reply that is longer than its command allows ends the connection while it arrives",
        arguments: [true, false]
    )
    func longReplies(isGreeting: Bool) async throws {
        // The most bytes of one connection; the client opens others meanwhile.
        let most = Lock(0)
        let server = try ScriptedServer { connection in
            func flood() {
                guard connection.write("$60000000\r\n") else { return }
                let part = String(repeating: "x", count: 65_536)
                var sent = 0
                while connection.write(part) {
                    sent += part.utf8.count
                    most.withLock { [sent] in $0 = max($0, sent) }
                }
            }
            if isGreeting {
                while let command = connection.readCommand(), command != ["INFO"] { connection.write("+OK\r\n") }
                return flood()
            }
            connection.greet()
            connection.serve {
                $0 == ["PING"]
                    ? "+PONG\r\n"
                    : {
                        flood(); return nil
                    }()
            }
        }
        let client = try TestClient(server)
        if isGreeting {
            let failure = await client.waitUntilReady()
            #expect(failure == .malformed("a reply is too large"))
        } else {
            #expect(await client.waitUntilReady() == nil)
            #expect(await client.send("LINDEX", "a", "0") == .failure(.connectionLost))
        }
        // Besides the limit, what the buffers of both sockets hold.
        #expect(most.withLock { $0 } < 20_000_000)
    }

    @Test("neither a failure nor a line has the words of a server about AUTH, which may quote the password")
    func credentials() async throws {
        let log = RecordedLog()
        let server = try ScriptedServer { connection in
            while let command = connection.readCommand() {
                let quoted = command.dropFirst().map { "'\($0)'" }.joined(separator: " ")
                connection.write("-ERR unknown command '\(command[0])', with args beginning with: \(quoted)\r\n")
            }
        }
        let url = "redis://me:swordfish@127.0.0.1:\(server.port)"
        let client = try RedisClient(
            RedisConfiguration(urls: [RedisURL(url)]),
            logger: log.logger
        )
        let failure = try #require(await client.waitUntilReady())
        client.stop()
        #expect(failure == .credentials(RedisFault("ERR")))
        let text = "\(failure)" + log.texts.joined()
        #expect(!text.contains("swordfish") && !text.contains("'me'"))
        #expect(
            RedisFault("ERR unknown command 'X', with args beginning with: 'secret'").text == "ERR unknown command 'X'"
        )
    }

    @Test(
        "an empty map, and addresses of two clusters, are logged once with their reason",
        arguments: [(1, "has no slots"), (2, "of different clusters")]
    )
    func reasons(count: Int, reason: String) async throws {
        let (asked, log) = (Shared(0), RecordedLog())
        let servers = try (0..<count).map { number in
            try ScriptedServer { connection in
                // The second server is slow, as one that is far away: the map of the first one is known before.
                while number > asked.current { usleep(1000) }
                connection.greet(isCluster: true)
                connection.serve { command in
                    guard command == ["CLUSTER", "SLOTS"] else { return "+PONG\r\n" }
                    asked.change { $0 += 1 }
                    return count == 1 ? "*0\r\n" : Connection.slots([("127.0.0.1", connection.port, 16_383)])
                }
            }
        }
        let client = try RedisClient(
            RedisConfiguration(urls: servers.map { try RedisURL("redis://127.0.0.1:\($0.port)") }),
            logger: log.logger
        )
        defer { client.stop() }
        try await waitUntil { log.texts.contains { $0.contains(reason) } }
        // An empty map is asked for again and again.
        try await waitUntil { asked.current >= (count == 1 ? 5 : 2) }
        #expect(log.texts.count { $0.contains(reason) } == 1)
    }

    @Test("a server that may delete values is named in the log")
    func evictingServer() async throws {
        let log = RecordedLog()
        let server = try RedisServerProcess(["--maxmemory-policy", "allkeys-lru"])
        let client = try RedisClient(
            RedisConfiguration(urls: [RedisURL(server.url)]),
            logger: log.logger
        )
        defer { client.stop() }
        #expect(await client.waitUntilReady() == nil)
        #expect(log.texts.count { $0.contains("must be noeviction") } == 1)
    }

    @Test(
        "a command that is renamed away, also one of a script, is named at the start",
        arguments: ["PEXPIRE", "SSUBSCRIBE"]
    )
    func renamed(name: String) async throws {
        let server = try RedisServerProcess(["--rename-command", name, ""])
        let other = try await StoreFixture([server.url])
        let failure = try #require(await other.store.missingPermission())
        #expect("\(failure)".lowercased().contains(name.lowercased()))
    }
}
