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

    @Test("A connection that is open wakes its thread for replies only")
    func open() {
        connection.checkDeadline(now: .now)
        #expect(turn { connection.isReady })
        #expect(isIdle)
    }

    @Test("A connection that was checked with PING wakes its thread for the reply only")
    func checked() {
        connection.checkDeadline(now: .now)
        #expect(turn { connection.isReady })
        let deadline = connection.deadline
        // The time of the next PING, and then that of its reply.
        connection.checkDeadline(now: deadline)
        #expect(connection.deadline != deadline)
        let awaited = connection.deadline
        #expect(turn { connection.deadline != awaited })
        #expect(isIdle)
    }
}
