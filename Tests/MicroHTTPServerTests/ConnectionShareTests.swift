import HTTPExchange
import Network
import Primitives
import TestSupport
import Testing

@testable import MicroHTTPServer

/// Tests the limits of connections, of all and of a client, and the reserve for operations.
@Suite struct ConnectionShareTests {
    @Test("a trusted proxy has no share of the connections")
    func proxy() async throws {
        let loopback = try #require(CIDR("127.0.0.0/8"))
        try await withServer(configure: {
            $0.maxConnectionsPerClient = 3
            $0.proxies = TrustedProxies([loopback])
        }) { fixture in
            let connections = try (0..<10).map { _ in try fixture.connect() }
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

    @Test("one client has a quarter of the reserve, and loses idle connections of it soon")
    func reserveShare() async throws {
        try await withServer(configure: {
            $0.maxConnections = 1
            $0.reservedConnections = 8
        }) { fixture in
            let first = try fixture.connect()
            #expect(try first.exchange(get()).status == 200)
            let idle = try (0..<2).map { _ in try fixture.connect() }
            #expect(eventually { fixture.statistics.reservedConnections == 2 })
            #expect(try fixture.connect().isClosed())
            #expect(fixture.statistics.rejectedForLimit == 1)
            for connection in idle { #expect(connection.isClosed()) }
            #expect(eventually { fixture.statistics.reservedConnections == 0 })
            // A connection of the reserve is for one request.
            for _ in 0..<20 {
                let check = try fixture.connect()
                let response = try check.exchange(get(ClosureResponder.operation))
                #expect(response.status == 200 && response.closes && check.isClosed())
                #expect(eventually { fixture.statistics.reservedConnections == 0 })
            }
            #expect(try fixture.connect().exchange(get()).text == "reserved")
        }
    }

    @Test("after all connections have left, the counts of all, of clients and of the reserve are zero")
    func counts() throws {
        var configuration = Server.Configuration()
        configuration.maxConnections = 3
        configuration.maxConnectionsPerClient = 2
        configuration.reservedConnections = 4
        let limits = ConnectionLimits(configuration)
        let a = ClientKey("192.0.2.1")
        let b = ClientKey("2001:db8::1")
        #expect(limits.admit(a) == .ordinary)
        #expect(limits.admit(a) == .ordinary)
        #expect(limits.admit(a) == .reserve)
        #expect(limits.admit(a) == .overShare)
        #expect(limits.admit(b) == .ordinary)
        #expect(limits.admit(b) == .reserve)
        #expect(limits.admit(b) == .overLimit)
        #expect(limits.admit(ClientKey("2001:db8::2")) == .overLimit, "the same /64")
        #expect(limits.open == 5)
        #expect(limits.reserved == 2)
        for _ in 0..<2 { limits.leave(a, isReserve: false) }
        limits.leave(b, isReserve: false)
        for client in [a, b] { limits.leave(client, isReserve: true) }
        #expect(limits.open == 0)
        #expect(limits.admit(a) == .ordinary)
    }
}
