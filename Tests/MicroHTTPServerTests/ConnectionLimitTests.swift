import MicroHTTPServer
import TestSupport
import Testing

@Suite struct ConnectionLimitTests {
    @Test("a connection above the limit is closed at once; after the end of another one, a new one is accepted")
    func limit() async throws {
        try await withServer(configure: { $0.maxConnections = 8 }) { fixture in
            var connections = try (0..<8).map { _ in try fixture.connect() }
            for connection in connections { #expect(try connection.exchange(get()).status == 200) }
            for _ in 0..<3 { #expect(try fixture.connect().isClosed()) }
            #expect(fixture.statistics.openConnections == 8)
            #expect(fixture.statistics.rejectedForLimit == 3)

            connections.removeLast().close()
            #expect(eventually { fixture.statistics.openConnections == 7 })
            #expect(try fixture.connect().exchange(get()).status == 200)
            for connection in connections { #expect(try connection.exchange(get()).status == 200) }
        }
    }

    @Test("a burst of connections never exceeds the limit, and each connection is served or closed")
    func burst() async throws {
        try await withServer(configure: { $0.maxConnections = 20 }) { fixture in
            let connections = try (0..<100).map { _ in try fixture.connect() }
            var served = 0
            for connection in connections {
                if let response = try? connection.exchange(get()) {
                    #expect(response.status == 200)
                    served += 1
                }
            }
            #expect(served == 20)
            #expect(fixture.statistics.rejectedForLimit == 80)
        }
    }
}
