import TestSupport
import Testing

extension ProcessTests {
    @Suite("Client shares")
    struct ClientShareTests {
        private func status(_ target: String, _ port: Int) throws -> Int {
            try RawConnection(port: port).exchange("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n").status
        }

        @Test("A connection above the share is closed and counted, and a closed one can be replaced")
        func connectionShare() throws {
            let service = try ServiceProcess(environment: [
                "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "8", "SPRINGBAR_LOG_LEVEL": "notice",
            ])
            let figures = ProcessFigures(service)
            var connections: [RawConnection] = []
            #expect(
                try eventually {
                    // A connection of the start may still be closing. One above the share serves only operations.
                    let connection = try RawConnection(port: service.port)
                    let answer = try connection.exchange("GET /v1/springs/presets HTTP/1.1\r\nHost: x\r\n\r\n")
                    if answer.status == 200 { connections.append(connection) }
                    return connections.count == 8
                }
            )
            let first = try #require(connections.first)
            #expect(try eventually { try figures.metric("springbar_connections_open", on: first) == 8 })
            let rejected = #"springbar_connections_rejected_total{reason="share"}"#
            let before = try figures.metric(rejected, on: first)
            let above = try (0..<20).map { _ in try RawConnection(port: service.port) }
            for connection in above { #expect(connection.isClosed()) }
            // The others had the reserve of one client.
            #expect(try eventually { try figures.metric(rejected, on: first) - before == 16 })
            #expect(try figures.metric(#"springbar_connections_rejected_total{reason="limit"}"#, on: first) == 0)
            connections.removeLast().close()
            #expect(eventually { (try? status("/v1/springs/presets", service.port)) == 200 })
        }
    }
}
