import PhotoLibrary
import Primitives
import Synchronization
import TestSupport
import Testing
import UnsplashClient

/// Bytes that a server sends between two requests belong to no request (RFC 9112, section 9.2).
@Suite("Kept connections with unread bytes", .timeLimit(.minutes(1)))
struct KeptConnectionTests {
    @Test(
        "an extra response, the late end of one and a 408 are not taken for the next response",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nWRONG", "the end",
            "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ]
    )
    func unread(bytes: String) async throws {
        let connections = Lock<[LoopbackServer.Connection]>([])
        let server = try LoopbackServer { _, connection in
            let number = connections.withLock { connections in
                connections.append(connection)
                return connections.count
            }
            connection.answer("picture \(number)")
        }
        let client = try makeClient(server)
        defer { client.stop() }
        for number in 1...3 {
            let collector = Collector()
            try await client.picture(at: server.url + "/kept", into: collector)
            #expect(String(decoding: collector.bytes, as: UTF8.self) == "picture \(number)")
            let last = connections.withLock(\.last)
            #expect(try #require(last).write(bytes))
        }
        #expect(server.connections == 3)
    }
}
