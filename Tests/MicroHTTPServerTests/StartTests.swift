import HTTPExchange
import MicroHTTPServer
import TestSupport
import Testing

@Suite struct StartTests {
    private func server(_ host: String, _ port: Int = 0) -> Server {
        Server(
            configuration: .init(host: host, port: port),
            responder: ClosureResponder { .now(.text($0.client ?? "none")) },
            logger: .silent
        )
    }

    @Test(
        "port 0 selects a free port and returns it, with IPv4, IPv6 and any address",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::1", "::1"), ("::", "::1"), ("::", "127.0.0.1"),
        ]
    )
    func listens(host: String, client: String) async throws {
        let server = server(host)
        let address = try server.start()
        #expect(address.host == host)
        #expect(address.port > 0)
        try await blocking {
            let connection = try RawConnection(host: client, port: address.port)
            // The peer has no port, and on a socket of IPv6 the same address.
            #expect(try connection.exchange(get()).text == client)
        }
        await server.drain()
    }

    @Test("text that is not an address is refused", arguments: ["localhost", "", "300.0.0.1", "example.com", "::g"])
    func invalidHost(host: String) {
        #expect(throws: ServerError.invalidHost(host)) { try server(host).start() }
    }

    @Test("the error for an address in use names it, and the server can be started again later")
    func inUse() async throws {
        let first = server("127.0.0.1")
        let address = try first.start()
        let second = server("127.0.0.1", address.port)
        let error = #expect(throws: ServerError.self) { try second.start() }
        #expect(error == .addressInUse(address))
        await first.drain()
        // SO_REUSEADDR: connections of the first server in TIME_WAIT do not block the address.
        #expect(try second.start() == address)
        await second.drain()
    }

    @Test("the error for an address of another machine names this reason")
    func foreignAddress() throws {
        let error = #expect(throws: ServerError.self) { try server("192.0.2.1").start() }
        #expect(error == .foreignAddress(BoundAddress(host: "192.0.2.1", port: 0)))
    }

    @Test("an IPv6 address is in brackets before a port")
    func description() {
        #expect(BoundAddress(host: "::1", port: 80).description == "[::1]:80")
        #expect(BoundAddress(host: "127.0.0.1", port: 80).description == "127.0.0.1:80")
    }
}
