import Foundation
import TestSupport
import Testing

extension ProcessTests {
    /// A thousand clients disconnect together with their last bytes.
    ///
    /// The library's own poll misses an end of stream that arrives together with data.
    @Suite("Clients that disconnect")
    struct GoneClientTests {
        enum Way: CaseIterable {
            case end, reset
        }

        @Test(
            "The descriptor of a client that has disconnected is closed within a second",
            arguments: [
                "", "GET / HTTP/1.1\r\nHost: x\r\n",
                "POST /v1/bars HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
                "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            ],
            Way.allCases
        )
        func descriptors(part: String, way: Way) throws {
            let environment = ["SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0", "SPRINGBAR_LOG_LEVEL": "notice"]
            let service = try ServiceProcess(environment: environment)
            let figures = ProcessFigures(service)
            // The connections of the start may still be closing; this one stays open.
            let first = try RawConnection(port: service.port)
            #expect(try eventually { try figures.metric("springbar_connections_open", on: first) == 1 })
            let before = try figures.descriptors()

            var connections: [RawConnection] = []
            for _ in 0..<500 { connections.append(try RawConnection(port: service.port)) }
            #expect(try eventually { try figures.descriptors() >= before + 500 })
            // The first half disconnects after its bytes have arrived, the second half together with them.
            for connection in connections { try leave(connection, with: part, way) }
            for _ in 0..<500 { try leave(try RawConnection(port: service.port), with: part, way) }

            // Connections that were not accepted yet have no descriptor.
            let accepted = "springbar_connections_accepted_total"
            #expect(
                try eventually {
                    try figures.metric(accepted, on: first) >= 1001 && figures.descriptors() <= before
                }
            )
        }

        private func leave(_ connection: RawConnection, with part: String, _ way: Way) throws {
            try connection.send(part)
            switch way {
            case .end: connection.close()
            case .reset: connection.reset()
            }
        }
    }
}
