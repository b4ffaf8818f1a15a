import Foundation
import TestSupport
import Testing

extension ProcessTests {
    /// Clients that hold memory, against a budget of 16 MiB; the tests measure the process's resident set.
    @Suite("The memory budget for requests and responses in flight")
    struct MemoryLimitTests {
        private static let budget = 16 << 20
        /// The growth that is allowed besides the budget: two responses above it, one for each worker; connections; and
        /// memory that the allocator keeps.
        private static let slack = 40 << 20

        private func start() throws -> ServiceProcess {
            try ServiceProcess(environment: [
                "SPRINGBAR_MEMORY_BYTES": "\(Self.budget)", "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0",
                "SPRINGBAR_LOG_LEVEL": "notice",
            ])
        }

        @Test("400 unfinished bodies stay within the budget, and small requests are still answered")
        func bodies() throws {
            let service = try start()
            let figures = ProcessFigures(service)
            let bar = try RawConnection(port: service.port).createBar()
            let before = try figures.residentBytes()

            let head =
                "POST /v1/bars HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 262144\r\n\r\n"
            let body = [UInt8](repeating: UInt8(ascii: " "), count: 262_143)
            var connections: [RawConnection] = []
            for _ in 0..<400 {
                let connection = try RawConnection(port: service.port)
                try connection.send(head)
                connections.append(connection)
            }
            // A refused connection closes, so bytes sent on it may not arrive.
            for connection in connections { try? connection.send(body) }
            #expect(try eventually { try figures.metric("springbar_memory_bytes") > Self.budget * 3 / 8 })
            // One client has half of the budget, besides the response to the request for metrics before this one.
            #expect(try figures.metric("springbar_memory_bytes") <= Self.budget / 2 + 65_536)
            #expect(try figures.metric("springbar_memory_limit_bytes") == Self.budget)
            let grown = try figures.residentBytes() - before
            print("400 unfinished bodies of 256 KiB: +\(grown >> 10) kB of RSS")
            #expect(grown < Self.budget + Self.slack)

            let late = try RawConnection(port: service.port)
            let refused = try late.exchange(head)
            #expect(refused.status == 503)
            #expect(refused["Retry-After"] == "1")
            #expect(refused.text.contains("/problems/overloaded"))
            try RawConnection(port: service.port).scroll(bar, -200, -140)
            #expect(try figures.metric("springbar_memory_refused_total") > 0)

            for connection in connections { connection.close() }
            #expect(try eventually { try figures.metric("springbar_memory_bytes") == 0 })
            try RawConnection(port: service.port).scroll(bar, -150)
        }

        @Test("40 clients that do not read stay within the budget, and small requests are still answered")
        func answers() throws {
            let service = try start()
            let figures = ProcessFigures(service)
            let before = try figures.residentBytes()
            let readers = try (0..<40).map { _ in try RawConnection(port: service.port, receiveBuffer: 4096) }
            let request = try Self.largeAnswer()
            var refused = 0
            for reader in readers {
                try reader.send(request)
                // Each client has its response, or the part that fits, before the next one sends a request.
                let status = try RawResponse(head: reader.read(through: "\r\n\r\n")).status
                #expect(status == 200 || status == 503)
                if status == 503 { refused += 1 }
            }
            #expect(refused > 20)
            let grown = try figures.residentBytes() - before
            print("40 answers of 4 MB that are not read: +\(grown >> 10) kB of RSS, \(refused) refused")
            #expect(grown < Self.budget + Self.slack)
            #expect(
                try RawConnection(port: service.port).exchange("GET /v1/springs HTTP/1.1\r\nHost: x\r\n\r\n").status
                    == 400
            )

            for reader in readers { reader.close() }
            #expect(try eventually { try figures.metric("springbar_memory_bytes") == 0 })
            #expect(try RawConnection(port: service.port).exchange(request).status == 200)
        }

        /// Returns a request with a response of about 4 MB: every event repeats the tracks.
        private static func largeAnswer() throws -> String {
            let tracks = (0..<128).map { number in
                let name = "\(number)" + String(repeating: "x", count: 100)
                return #""\#(name)":{"keyframes":[{"progress":0,"value":0},{"progress":1,"value":1}]}"#
            }
            let events = (0..<250).map { #"{"type":"contentOffset","contentOffset":{"x":0,"y":\#(-200 + $0 % 2)}}"# }
            let body = """
                {"configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300},\
                "scrollable":{"contentOffset":{"x":0,"y":-200},"contentSize":{"width":375,"height":4800},\
                "frame":{"x":0,"y":0,"width":375,"height":667}},"tracks":{\(tracks.joined(separator: ","))},\
                "events":[\(events.joined(separator: ","))]}
                """
            return "POST /v1/bars/apply HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
    }
}
