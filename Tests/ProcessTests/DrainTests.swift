import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

extension ProcessTests {
    @Suite("Termination of the process")
    struct DrainTests {
        /// Opens a connection with an unfinished request: its head is sent, its content is not.
        private func unfinished(_ port: Int) throws -> RawConnection {
            let connection = try RawConnection(port: port)
            try connection.send("POST /v1/bars HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
            try connection.send("Content-Length: 10\r\nExpect: 100-continue\r\n\r\n")
            // `100 Continue` shows that the server has read the head.
            _ = try connection.read(through: "100 Continue\r\n\r\n")
            return connection
        }

        @Test("SIGTERM and SIGINT end the process with 0, even with idle connections", arguments: [SIGTERM, SIGINT])
        func endsInGoodOrder(signal: Int32) throws {
            let service = try ServiceProcess()
            let idle = try RawConnection(port: service.port)
            #expect(try idle.exchange("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
            service.send(signal: signal)
            #expect(try service.waitForEnd(within: .seconds(20)) == 0)
            #expect(idle.isClosed())
            #expect(service.output.contains(#""message":"stopped""#))
        }

        @Test("A signal ends a start that waits for Redis", arguments: [SIGTERM, SIGINT])
        func duringStart(signal: Int32) throws {
            let path = "/tmp/silent-\(UUID().uuidString.prefix(8)).sock"
            let listener = try #require(Self.listener(path))
            defer {
                close(listener)
                unlink(path)
            }
            let process = try RunningProcess(
                ServiceProcess.binary,
                ["serve", "--port", "0"],
                environment: ["SPRINGBAR_REDIS_URL": "unix://\(path)"]
            )
            defer { process.kill() }
            // The service is connected, and gets no reply.
            var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 20_000) == 1)
            process.send(signal: signal)
            #expect(process.waitForEnd(within: .seconds(4)) == 0)
            #expect(process.output.contains("stopped"))
        }

        /// Returns a listening socket whose connections are never accepted.
        private static func listener(_ path: String) -> Int32? {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard let address = SocketAddress(path: path) else { return nil }
            let isListening = address.withPointer { bind(descriptor, $0, $1) } == 0 && listen(descriptor, 8) == 0
            return isListening ? descriptor : nil
        }

        @Test("An unfinished request may finish")
        func finishes() throws {
            let service = try ServiceProcess()
            let connection = try unfinished(service.port)
            service.send(signal: SIGTERM)
            _ = service.waitForLine(within: .seconds(20)) { $0.contains(#""message":"draining""#) }
            try connection.send("{\"a\":true}")
            #expect(try connection.readResponse().status == 422)
            #expect(try service.waitForEnd(within: .seconds(20)) == 0)
        }

        @Test("A second signal ends the process at once", arguments: [SIGTERM, SIGINT])
        func secondSignal(signal: Int32) throws {
            let service = try ServiceProcess()
            let connection = try unfinished(service.port)
            service.send(signal: SIGTERM)
            _ = service.waitForLine(within: .seconds(20)) { $0.contains(#""message":"draining""#) }
            service.send(signal: signal)
            // The status after a drain is 0.
            #expect(try service.waitForEnd(within: .seconds(20)) == 128 + signal)
            connection.close()
        }
    }
}
