import Foundation
import Glibc
import MicroHTTPServer
import TestSupport
import Testing

extension ProcessTests {
    /// Five thousand streams on one process, over real sockets.
    ///
    /// Both ends of a connection are on this machine, in two processes: each needs a descriptor for every stream.
    @Suite("A crowd that watches one bar", .enabled(if: DescriptorLimit.raise() >= 5200))
    struct StreamCrowdTests {
        private static let count = 5000
        /// What a stream may add to the process's resident set, in bytes; 32 KiB of it are the library's own memory for
        /// a connection, as far as it is touched.
        private static let bytesForOne = 40_000

        @Test("is told of an event, every one, and of the end, in little memory and bounded time")
        func crowd() throws {
            let environment = ["SPRINGBAR_MAX_CONNECTIONS": "\(Self.count + 50)", "SPRINGBAR_LOG_LEVEL": "notice"]
            let service = try ServiceProcess(environment: environment)
            let writer = try RawConnection(port: service.port)
            let bar = try createBar(writer)

            // The first ones pay for what is there once.
            var readers = try (0..<100).map { _ in try watch(bar, service.port) }
            let before = try residentBytes(of: service.identifier)
            readers += try (100..<Self.count).map { _ in try watch(bar, service.port) }
            let bytes = (try residentBytes(of: service.identifier) - before) / (Self.count - 100)
            print("\(Self.count) streams, \(bytes) bytes of RSS each")
            #expect(bytes < Self.bytesForOne)

            // The first offset primes, the second moves the bar; observers are told of the change, once.
            let events = #"{"events":[\#(offset(-200)),\#(offset(-140))]}"#
            let posted = try ask(writer, "POST", bar + "/events", events)
            #expect(posted.status == 200)
            for reader in readers {
                let event = String(decoding: try reader.readChunk(), as: UTF8.self)
                #expect(event.hasPrefix("event: state\nid: 2\ndata: {") && event.contains("\"height\":140"))
            }

            let start = ContinuousClock.now
            service.send(signal: SIGTERM)
            #expect(try service.waitForEnd(within: .seconds(10)) == 0)
            #expect(.now - start < .seconds(5))
            for reader in readers {
                let event = String(decoding: try reader.readChunk(), as: UTF8.self)
                #expect(event == "event: end\ndata: {\"reason\":\"shutdown\"}\n\n")
                #expect(try reader.readChunk().isEmpty)
                #expect(reader.isClosed())
            }
        }

        /// Opens a stream and reads the state that comes first.
        private func watch(_ bar: String, _ port: Int) throws -> RawConnection {
            let connection = try RawConnection(port: port)
            try connection.send("GET \(bar)/stream HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = try RawResponse(head: connection.read(through: "\r\n\r\n"))
            try #require(head.status == 200)
            let event = String(decoding: try connection.readChunk(), as: UTF8.self)
            #expect(event.hasPrefix("event: state\nid: 0\n"))
            return connection
        }

        private func createBar(_ connection: RawConnection) throws -> String {
            let body = """
                {"configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300},\
                "scrollable":{"contentOffset":{"x":0,"y":-200},"contentSize":{"width":375,"height":4800},\
                "frame":{"x":0,"y":0,"width":375,"height":667}}}
                """
            return try #require(try ask(connection, "POST", "/v1/bars", body)["Location"])
        }

        private func offset(_ y: Int) -> String {
            #"{"type":"contentOffset","contentOffset":{"x":0,"y":\#(y)}}"#
        }

        private func ask(_ connection: RawConnection, _ method: String, _ path: String, _ body: String) throws
            -> RawResponse
        {
            try connection.exchange(
                """
                \(method) \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: \(body.utf8.count)\r\n\r\n\(body)
                """
            )
        }

        /// The resident set of a process: the second number of proc(5), /proc/PID/statm, in pages.
        private func residentBytes(of identifier: Int32) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(identifier)/statm", encoding: .utf8)
            let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            return pages * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}
