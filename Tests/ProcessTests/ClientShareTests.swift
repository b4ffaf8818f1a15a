import TestSupport
import Testing

extension ProcessTests {
    @Suite("Client shares")
    struct ClientShareTests {
        private func status(_ target: String, _ port: Int) throws -> Int {
            try RawConnection(port: port).exchange("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n").status
        }

        @Test("A client with all connections leaves a reserve for health checks", arguments: ["0", "60"])
        func connections(share: String) throws {
            let service = try ServiceProcess(environment: [
                "SPRINGBAR_MAX_CONNECTIONS": "60", "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": share,
                "SPRINGBAR_LOG_LEVEL": "notice",
            ])
            let bar = try RawConnection(port: service.port).createBar()
            var streams: [RawConnection] = []
            #expect(
                try eventually {
                    // The connection that created the bar may still be closing.
                    let stream = try RawConnection(port: service.port)
                    guard (try? stream.watch(bar)) != nil else { return false }
                    streams.append(stream)
                    return streams.count == 60
                }
            )
            for target in [
                "/healthz", "/readyz", "/metrics", "/v1/status", "/openapi.yaml", "/problems/overloaded", "/",
            ] {
                #expect(try eventually { try status(target, service.port) == 200 }, "\(target)")
            }
            let refused = try RawConnection(port: service.port)
            let answer = try refused.exchange("GET \(bar) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(answer.status == 503)
            #expect(answer.text.contains("/problems/overloaded"))
            #expect(answer["Retry-After"] != nil)
            #expect(answer.closes)

            // Idle connections do not occupy the reserve.
            let idle = try (0..<40).map { _ in try RawConnection(port: service.port) }
            #expect(eventually { (try? status("/healthz", service.port)) == 200 })
            withExtendedLifetime(idle) {}
            streams.removeLast().close()
            #expect(eventually { (try? status(bar, service.port)) == 200 })
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

        @Test("A stream above the share of its forwarded address is 429, and a closed one can be replaced")
        func streams() throws {
            let service = try ServiceProcess(environment: [
                "SPRINGBAR_MAX_STREAMS_PER_CLIENT": "3", "SPRINGBAR_TRUSTED_PROXIES": "127.0.0.0/8",
                "SPRINGBAR_LOG_LEVEL": "notice",
            ])
            let bar = try RawConnection(port: service.port).createBar()
            func stream(_ client: String) throws -> RawConnection? {
                let connection = try RawConnection(port: service.port)
                try connection.send("GET \(bar)/stream HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: \(client)\r\n\r\n")
                let response = try RawResponse(head: connection.read(through: "\r\n\r\n"))
                if response.status == 200 { return connection }
                #expect(response.status == 429)
                #expect(response["Retry-After"] != nil)
                return nil
            }
            var open = try (0..<3).compactMap { _ in try stream("192.0.2.1") }
            #expect(open.count == 3)
            #expect(try stream("192.0.2.1") == nil)
            #expect(try stream("192.0.2.2") != nil)
            // Addresses of one /64 are one client.
            let others = try (1...3).compactMap { try stream("2001:db8::\($0)") }
            defer { withExtendedLifetime(others) {} }
            #expect(others.count == 3)
            #expect(try stream("2001:db8::ffff") == nil)

            open[0].close()
            #expect(try eventually { try stream("192.0.2.1").map { open[0] = $0 } != nil })
            open[1].reset()
            #expect(try eventually { try stream("192.0.2.1").map { open[1] = $0 } != nil })
            open[2].halfClose()
            #expect(try eventually { try stream("192.0.2.1").map { open[2] = $0 } != nil })
            #expect(try stream("192.0.2.1") == nil)

            let deletion = "DELETE \(bar) HTTP/1.1\r\nHost: x\r\n\r\n"
            #expect(try RawConnection(port: service.port).exchange(deletion).status == 204)
        }
    }
}
