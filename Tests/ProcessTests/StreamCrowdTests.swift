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
            let environment = [
                "SPRINGBAR_MAX_CONNECTIONS": "\(Self.count + 50)", "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0",
                "SPRINGBAR_MAX_STREAMS_PER_CLIENT": "0", "SPRINGBAR_LOG_LEVEL": "notice",
            ]
            let service = try ServiceProcess(environment: environment)
            let bar = try RawConnection(port: service.port).createBar()

            // The first ones pay for what is there once.
            var readers = try (0..<100).map { _ in try reader(of: bar, service.port) }
            let before = try residentBytes(of: service.identifier)
            readers += try (100..<Self.count).map { _ in try reader(of: bar, service.port) }
            let bytes = (try residentBytes(of: service.identifier) - before) / (Self.count - 100)
            print("\(Self.count) streams, \(bytes) bytes of RSS each")
            #expect(bytes < Self.bytesForOne)
            // On a new connection each time: opening them all may take longer than an idle one is kept.
            let scrape = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
            let metrics = try RawConnection(port: service.port).exchange(scrape).text
            #expect(metrics.contains("\nspringbar_bar_observers \(Self.count)\n"))
            #expect(metrics.contains("\nspringbar_bar_sessions 1\n"))
            #expect(metrics.firstMatch(of: /\nspringbar_bar_bytes [1-9]/) != nil)

            // The first offset primes, the second moves the bar; observers are told of the change, once.
            try RawConnection(port: service.port).scroll(bar, -200, -140)
            for reader in readers {
                let event = try reader.readEvent()
                #expect(event.hasPrefix("event: state\nid: 2\ndata: {") && event.contains("\"height\":140"))
            }

            let start = ContinuousClock.now
            service.send(signal: SIGTERM)
            #expect(try service.waitForEnd(within: .seconds(10)) == 0)
            #expect(.now - start < .seconds(5))
            for reader in readers {
                #expect(try reader.readEvent() == "event: end\ndata: {\"reason\":\"shutdown\"}\n\n")
                #expect(try reader.readEvent().isEmpty)
                #expect(reader.isClosed())
            }
        }

        /// Opens a stream and reads the state that comes first.
        private func reader(of bar: String, _ port: Int) throws -> RawConnection {
            let connection = try RawConnection(port: port)
            try connection.watch(bar)
            #expect(try connection.readEvent().hasPrefix("event: state\nid: 0\n"))
            return connection
        }

        /// The resident set of a process: the second number of proc(5), /proc/PID/statm, in pages.
        private func residentBytes(of identifier: Int32) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(identifier)/statm", encoding: .utf8)
            let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            return pages * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}
