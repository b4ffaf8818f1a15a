import HTTPExchange
import Primitives
import TestSupport
import Testing

@testable import MicroHTTPServer

/// Tests a client's share of the connections, and the reserve for operations.
@Suite struct ConnectionShareTests {
    private let operation = get(ClosureResponder.operation)

    @Test("a connection above its client's share is closed at once; other clients and trusted proxies are not affected")
    func share() async throws {
        try await withServer(configure: { $0.maxConnectionsPerClient = 3 }) { fixture in
            var connections = try (0..<3).map { _ in try fixture.connect() }
            for connection in connections { #expect(try connection.exchange(get()).status == 200) }
            for _ in 0..<2 { #expect(try fixture.connect().isClosed()) }
            #expect(fixture.statistics.rejectedForShare == 2)
            #expect(fixture.statistics.rejectedForLimit == 0)

            connections.removeLast().close()
            #expect(eventually { fixture.statistics.openConnections == 2 })
            #expect(try fixture.connect().exchange(get()).status == 200)
        }
        let loopback = try #require(CIDR("127.0.0.0/8"))
        try await withServer(configure: {
            $0.maxConnectionsPerClient = 3
            $0.proxies = TrustedProxies([loopback])
        }) { fixture in
            let connections = try (0..<10).map { _ in try fixture.connect() }
            for connection in connections { #expect(try connection.exchange(get()).status == 200) }
        }
    }

    @Test("operations are answered when all connections are in use")
    func reserve() async throws {
        try await withServer(configure: {
            $0.maxConnections = 4
            $0.reservedConnections = 8
        }) { fixture in
            let connections = try (0..<4).map { _ in try fixture.connect() }
            for connection in connections { #expect(try connection.exchange(get()).status == 200) }

            for _ in 0..<20 {
                let check = try fixture.connect()
                let response = try check.exchange(operation)
                #expect(response.status == 200)
                #expect(response.closes)
                #expect(check.isClosed())
                #expect(eventually { fixture.statistics.reservedConnections == 0 })
            }
            let other = try fixture.connect()
            let response = try other.exchange(get())
            #expect(response.status == 503)
            #expect(response.text == "reserved")
            #expect(response.closes)
            #expect(fixture.statistics.rejectedForLimit + fixture.statistics.rejectedForShare == 0)
            for connection in connections { #expect(try connection.exchange(get()).status == 200) }
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
            #expect(try fixture.connect().exchange(operation).status == 200)
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
