import Glibc
import Network
import Primitives
import TestSupport
import Testing

@testable import RedisClient

/// Tests a connection and its epoll set without the thread of a client.
@Suite("Connections without commands")
struct IdleConnectionTests {
    private let server: ScriptedServer
    private let poll: PollSet
    private let connection: ServerConnection

    init() throws {
        server = try ScriptedServer { connection in
            connection.greet()
            connection.serve { $0 == ["PING"] ? "+PONG\r\n" : nil }
        }
        poll = try #require(PollSet())
        let url = try RedisURL("redis://127.0.0.1:\(server.port)")
        let environment = ConnectionEnvironment(
            configuration: RedisConfiguration(urls: [url]),
            tls: nil,
            descriptors: poll,
            lookUps: LookUps { _, _, _ in }
        )
        let queue = CommandQueue(round: Round())
        connection = ServerConnection(url, queue, id: 1, now: .now, environment)
    }

    /// Runs turns until the condition holds.
    private func turn(until condition: () -> Bool) -> Bool {
        eventually {
            for readiness in poll.events(until: .now + .milliseconds(100)) { connection.handle(readiness, now: .now) }
            connection.flush(now: .now)
            return condition()
        }
    }

    /// Whether the epoll set has nothing to report for some time.
    private var isIdle: Bool { poll.events(until: .now + .milliseconds(30)).isEmpty }

    @Test("A connection that is open, or was checked with PING, wakes its thread for replies only")
    func open() {
        connection.checkDeadline(now: .now)
        #expect(turn { connection.isReady })
        #expect(isIdle)
        let deadline = connection.deadline
        // The time of the next PING, and then that of its reply.
        connection.checkDeadline(now: deadline)
        #expect(connection.deadline != deadline)
        let awaited = connection.deadline
        #expect(turn { connection.deadline != awaited })
        #expect(isIdle)
    }
}

@Suite("Sockets and look-ups")
struct ConnectionPartTests {
    /// The second `close` of a descriptor, which another thread may have got meanwhile, is an `EBADF` at best.
    @Test("A socket that cannot be connected is closed once")
    func closedOnce() throws {
        let address = try #require(SocketAddress(path: "/nowhere/redis.sock"))
        errno = 0
        let isRefused = (try? Link(to: address, nil, name: "")) == nil
        let code = errno
        #expect(isRefused && code != EBADF)
    }

    @Test("a few look-ups run at a time, and those of closed connections are left out")
    func lookUps() {
        var started: [UInt64] = []
        let lookUps = LookUps { _, _, mark in started.append(mark) }
        for mark in 0..<1000 as Range<UInt64> { lookUps.add("h\(mark)", 1, mark) }
        #expect(started == Array(0..<8))
        for _ in 0..<8 { lookUps.ended { $0 >= 990 } }
        #expect(started == Array(0..<8) + Array(990..<998))
        for _ in 0..<8 { lookUps.ended { _ in true } }
        #expect(started.suffix(2) == [998, 999] && started.count == 18)
    }
}
