import Photos
import Primitives
import Synchronization
import TestSupport
import Testing
import UnsplashClient

/// Bytes that a server sends between two requests belong to no request (RFC 9112, section 9.2).
@Suite("Kept connections with unread bytes", .timeLimit(.minutes(1)))
struct KeptConnectionTests {
    /// An upstream that keeps its connections, and answers with the number of the request.
    private final class Upstream: Sendable {
        private let connections = Lock<[LoopbackServer.Connection]>([])
        private let count = Lock(0)

        /// The connection of the last request.
        var last: LoopbackServer.Connection? { connections.withLock { $0.last } }

        func answer(_ connection: LoopbackServer.Connection) {
            connections.withLock { $0.append(connection) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            connection.answer("picture \(number)")
        }
    }

    private func picture(_ client: UnsplashClient, _ server: LoopbackServer) async throws -> String {
        let collector = Collector()
        try await client.picture(at: server.url + "/kept", into: collector)
        return String(decoding: collector.bytes, as: UTF8.self)
    }

    @Test(
        "an extra response, the late end of one and a 408 are not taken for the next response",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nWRONG", "the end",
            "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ]
    )
    func unread(bytes: String) async throws {
        let upstream = Upstream()
        let server = try LoopbackServer { _, connection in upstream.answer(connection) }
        let client = try makeClient(server)
        defer { client.stop() }
        for number in 1...3 {
            #expect(try await picture(client, server) == "picture \(number)")
            let connection = try #require(upstream.last)
            #expect(connection.write(bytes))
        }
        #expect(server.connections == 3)
    }
}
