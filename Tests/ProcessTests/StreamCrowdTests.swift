import Foundation
import MicroHTTPServer
import TestSupport
import Testing

extension ProcessTests {
    /// Five thousand streams of one process, over real sockets.
    ///
    /// Both ends of each connection are on this machine, in two processes. Each process needs a descriptor for every
    /// stream.
    @Suite("Many streams of one bar", .enabled(if: DescriptorLimit.raise() >= 5200))
    struct StreamCrowdTests {
        private static let count = 5000
        /// The limit of a stream's resident memory, in bytes.
        ///
        /// The library's own memory for a connection is 16 KiB of it, as far as it is used.
        private static let bytesForOne = 40_000

        @Test("Every stream gets every event and the end, in bounded memory and time")
        func crowd() throws {
            let environment = [
                "SPRINGBAR_MAX_CONNECTIONS": "\(Self.count + 50)", "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0",
                "SPRINGBAR_MAX_STREAMS_PER_CLIENT": "0", "SPRINGBAR_LOG_LEVEL": "notice",
            ]
            let service = try ServiceProcess(environment: environment)
            let bar = try RawConnection(port: service.port).createBar()

            let figures = ProcessFigures(service)
            // The first streams allocate memory that all others share.
            var readers = try (0..<100).map { _ in try reader(of: bar, service.port) }
            let before = try figures.residentBytes()
            readers += try (100..<Self.count).map { _ in try reader(of: bar, service.port) }
            let bytes = (try figures.residentBytes() - before) / (Self.count - 100)
            print("\(Self.count) streams, \(bytes) bytes of RSS each")
            #expect(bytes < Self.bytesForOne)
            // Each request uses a new connection, because opening the streams may outlast the idle time-out.
            let scrape = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
            let metrics = try RawConnection(port: service.port).exchange(scrape).text
            #expect(metrics.contains("\nspringbar_bar_observers \(Self.count)\n"))
            #expect(metrics.contains("\nspringbar_bar_sessions 1\n"))
            #expect(metrics.firstMatch(of: /\nspringbar_bar_bytes [1-9]/) != nil)

            // The first offset is only remembered, the second moves the bar. Streams send the change once.
            try RawConnection(port: service.port).scroll(bar, -200, -140)
            for reader in readers {
                let event = try reader.readEvent()
                #expect(event.hasPrefix("event: state\nid: 2\ndata: {") && event.contains("\"height\":140"))
            }

            service.send(signal: SIGTERM)
            #expect(try service.waitForEnd(within: .seconds(20)) == 0)
            for reader in readers {
                #expect(try reader.readEvent() == "event: end\ndata: {\"reason\":\"shutdown\"}\n\n")
                #expect(try reader.readEvent().isEmpty)
                #expect(reader.isClosed())
            }
        }

        /// Opens a stream and reads the first state.
        private func reader(of bar: String, _ port: Int) throws -> RawConnection {
            let connection = try RawConnection(port: port)
            try connection.watch(bar)
            #expect(try connection.readEvent().hasPrefix("event: state\nid: 0\n"))
            return connection
        }
    }
}
