import Glibc
import Primitives
import RedisClient
import SharedState
import Synchronization
import TestSupport
import Testing

/// Tests the client with a server that closes connections, delays replies or sends garbage.
@Suite("Client of a server that misbehaves", .timeLimit(.minutes(1)))
struct MisbehavingServerTests {
    typealias Connection = ScriptedServer.Connection

    @Test("Callers get their replies in the order of the commands")
    func order() async throws {
        let server = try ScriptedServer { Connection.bulk($1.joined(separator: " ")) }
        let client = try await TestClient.ready(server)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask {
                    await client.send("ECHO", .integer(number)) == .success(.string(Array("ECHO \(number)".utf8)))
                }
            }
            #expect(await group.allSatisfy { $0 })
        }
        #expect(client.status.pending == 0)
        #expect(client.status.commands == 500)
        #expect(client.status.latency != nil)
    }

    @Test("A connection that is cut fails its commands, and a new one is opened")
    func cut() async throws {
        let server = try ScriptedServer { connection, _ in
            connection.write("$100\r\nhalf a rep")
            connection.end()
            return nil
        }
        let client = try await TestClient.ready(server)
        #expect(await client.send("CUT") == .failure(.connectionLost))
        #expect(await client.waitUntilReady() == nil)
        #expect(await client.send("PING") == .success(.status("PONG")))
        #expect(client.status.reconnects == 1)
    }

    @Test("A command without a reply in time ends its connection, and its late reply goes to no other command")
    func late() async throws {
        let gate = Lock(false)
        let server = try ScriptedServer { connection, command in
            guard command.first == "SLOW" else { return "+\(command[0])\r\n" }
            // Bytes arrive meanwhile, so the connection is not silent.
            connection.write("+SL")
            _ = eventually { gate.withLock { $0 } }
            return "OW\r\n"
        }
        let client = try await TestClient.ready(server, timeout: .seconds(1))
        #expect(await client.send("SLOW") == .failure(.connectionLost))
        #expect(client.status.pending == 0)
        gate.withLock { $0 = true }
        try await waitUntil { client.status.reconnects == 1 }
        #expect(await client.send("FAST") == .success(.status("FAST")))
    }

    @Test("A silent connection is dropped, and commands are refused at once afterwards")
    func silent() async throws {
        let server = try ScriptedServer { connection in
            // Later connections are not greeted.
            if connection.number == 0 { connection.greet() }
            connection.waitForClose()
        }
        let client = try await TestClient.ready(server, timeout: .seconds(1))
        let result = await client.send("GET", "x")
        #expect(result == .failure(.connectionLost))
        try await waitUntil { !client.status.isAvailable }
        #expect(client.status.pending == 0)
        #expect(await client.send("GET", "x") == .failure(.notReady))
    }

    @Test(
        "Garbage closes the connection and fails the command",
        arguments: ["HTTP/1.1 400\r\n\r\n", "$9223372036854775808\r\n", "*2147483647\r\n", "+OK\r\n+more\r\n", "\u{0}"]
    )
    func garbage(text: String) async throws {
        let server = try ScriptedServer { _, _ in text }
        let client = try await TestClient.ready(server)
        let result = await client.send("GET", "x")
        #expect(result == (text.hasPrefix("+OK") ? .success(.status("OK")) : .failure(.connectionLost)))
        try await waitUntil { client.status.reconnects >= 1 }
    }

    @Test(
        "A server that is not ready refuses the command, and the connection is opened again",
        arguments: ["READONLY You can't write", "LOADING Redis is loading", "MASTERDOWN Link", "NOREPLICAS Not enough"]
    )
    func notReady(text: String) async throws {
        let server = try ScriptedServer { connection, _ in connection.number < 1 ? "-\(text)\r\n" : "+OK\r\n" }
        let client = try await TestClient.ready(server)
        #expect(await client.send("SET", "x", "y") == .failure(.notReady))
        try await waitUntil { client.status.reconnects == 1 }
        #expect(await client.send("SET", "x", "y") == .success(.status("OK")))
    }

    @Test("The loss of the connection for commands opens that for subscriptions again")
    func demoted() async throws {
        let subscriptions = Lock<[Int]>([])
        let server = try ScriptedServer { connection, command in
            guard command[0] == "SSUBSCRIBE" else {
                return connection.number == 0 ? "-READONLY x\r\n" : "+OK\r\n"
            }
            subscriptions.withLock { $0.append(connection.number) }
            return "*3\r\n$10\r\nssubscribe\r\n$\(command[1].utf8.count)\r\n\(command[1])\r\n:1\r\n"
        }
        let client = try await TestClient.ready(server)
        let events = Lock<[WatchEvent]>([])
        let end = client.client.watch("a") { event in events.withLock { $0.append(event) } }
        defer { end() }
        try await waitUntil { events.withLock { $0 == [.ready] } }
        #expect(await client.send("SET", "x", "y") == .failure(.notReady))
        try await waitUntil { events.withLock { $0 == [.ready, .ready] } }
        #expect(subscriptions.withLock { $0.count == 2 && $0[0] != $0[1] })
    }

    @Test("Another error is the result of its command alone")
    func refused() async throws {
        let server = try ScriptedServer { $1.first == "BAD" ? "-NOPERM no\r\n" : "+OK\r\n" }
        let client = try await TestClient.ready(server)
        #expect(await client.send("BAD") == .failure(.refused(RedisFault("NOPERM no"))))
        #expect(await client.send("GOOD") == .success(.status("OK")))
        #expect(client.status.reconnects == 0)
        #expect(client.status.errors == 1)
    }

    @Test("A forgotten script is sent once with its source")
    func forgottenScript() async throws {
        let commands = Lock<[String]>([])
        let server = try ScriptedServer { _, command in
            commands.withLock { $0.append(command[0]) }
            return command[0] == "EVALSHA" ? "-NOSCRIPT No matching script\r\n" : "-NOSCRIPT again\r\n"
        }
        let client = try await TestClient.ready(server)
        let result = await client.send(RedisCommand(RedisScript("return 1"), key: "k", ["a"]))
        #expect(result == .failure(.refused(RedisFault("NOSCRIPT again"))))
        #expect(commands.withLock { $0 } == ["EVALSHA", "EVAL"])
        #expect(client.status.pending == 0)
    }

    @Test("Commands and bytes beyond the limits are refused")
    func limits() async throws {
        let server = try ScriptedServer { connection in
            connection.greet()
            connection.waitForClose()
        }
        var configuration = RedisConfiguration(urls: [try RedisURL("redis://127.0.0.1:\(server.port)")])
        configuration.timeout = .seconds(20)
        configuration.largestPending = 3
        configuration.largestPendingBytes = 1000
        let client = try TestClient(configuration)
        #expect(await client.waitUntilReady() == nil)
        for _ in 0..<2 { client.submit("GET", "x") }
        let large = RedisCommand("SET", "x", .bytes([UInt8](repeating: 0, count: 1000)))
        #expect(await client.send(large) == .failure(.notReady))
        client.submit("GET", "x")
        #expect(await client.send("GET", "x") == .failure(.notReady))
        #expect(client.status.pending == 3 && client.status.isAvailable)
    }

    @Test("A command that waits for the reply to others leaves without it, too")
    func batches() async throws {
        let client = Lock<TestClient?>(nil)
        let received = Lock(0)
        let server = try ScriptedServer { connection in
            connection.greet()
            connection.serve { _ in
                received.withLock { $0 += 1 }
                client.withLock(\.self)?.submit("GET", "x")
                return nil
            }
        }
        let fixture = try await TestClient.ready(server, timeout: .seconds(20))
        client.withLock { $0 = fixture }
        fixture.submit("GET", "x")
        defer { client.withLock { $0 = nil } }
        try await waitUntil { received.withLock { $0 } >= 100 }
    }

    @Test("A stop fails the commands that wait, and later ones")
    func stop() async throws {
        let isAsked = Lock(false)
        let server = try ScriptedServer { connection in
            connection.greet()
            connection.serve { command in
                isAsked.withLock { $0 = true }
                return nil
            }
        }
        let client = try await TestClient.ready(server)
        async let waiting = client.send("GET", "x")
        try await waitUntil { isAsked.withLock { $0 } }
        client.client.stop()
        #expect(await waiting == .failure(.connectionLost))
        #expect(await client.send("GET", "x") == .failure(.notReady))
        #expect(await client.waitUntilReady() == .stopped)
    }

    @Test("Nothing listens: commands are refused at once, and a wait for the connection can be cancelled")
    func nothingListens() async throws {
        let port = RedisServerProcess.freePort()
        let client = try TestClient("redis://127.0.0.1:\(port)")
        #expect(await client.send("PING") == .failure(.notReady))
        try await waitUntil { client.failure != nil }
        let wait = Task { await client.waitUntilReady() }
        wait.cancel()
        #expect(await wait.value == .stopped)
    }

    @Test("A name without an address is a failure that passes")
    func unresolved() async throws {
        let client = try TestClient("redis://springbar.invalid")
        try await waitUntil(within: .seconds(30)) { client.failure == .unresolved }
        #expect(client.failure?.isPermanent == false)
    }

    @Test("A server that ends the connection during the handshake of TLS is tried again")
    func endOfHandshake() async throws {
        let server = try LoopbackServer.reading { _, connection in
            // With bytes that were not read, the system would send a reset instead of the end.
            var hello = [UInt8](repeating: 0, count: 65_536)
            _ = recv(connection.descriptor, &hello, hello.count, 0)
        }
        let client = try TestClient("rediss://127.0.0.1:\(server.port)")
        try await waitUntil { client.failure != nil }
        #expect(client.failure == .closed)
    }

    @Test("INFO with thousands of lines is read, as Redis 7.0 has it after as many different errors")
    func longInformation() async throws {
        let server = try ScriptedServer { connection in
            while let command = connection.readCommand(), command.first != "INFO" { connection.write("+OK\r\n") }
            let errors = (0..<10_000).map { "errorstat_job\($0):count=1\r\n" }
            let text = "redis_version:7.0.15\r\n" + errors.joined() + "cluster_enabled:0\r\n"
            connection.write(Connection.bulk(text))
            connection.serve { _ in "+OK\r\n" }
        }
        #expect(await (try TestClient(server)).waitUntilReady() == nil)
    }

    @Test("HTTP and a refused password are found at the start")
    func start() async throws {
        let http = try ScriptedServer { connection in
            _ = connection.readCommand()
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        #expect(try await TestClient(http).waitUntilReady()?.isPermanent == true)
        let tls = try ScriptedServer { connection in connection.write("+OK\r\n") }
        let failure = try await TestClient("rediss://127.0.0.1:\(tls.port)").waitUntilReady()
        guard case .tls = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
