import Foundation
import Glibc
import TestSupport
import Testing

extension ProcessTests {
    @Suite("Bursts of requests")
    struct BurstTests {
        /// Returns a launcher that runs a command on the first allowed core, so that the service has one worker.
        private func onOneCore() throws -> [String] {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let first = try #require(status.firstMatch(of: /Cpus_allowed_list:\s+([0-9]+)/))
            return ["/usr/bin/taskset", "--cpu-list", String(first.1)]
        }

        // libmicrohttpd polls 128 events at a time; it must not sleep while a full batch leaves more events behind.
        @Test("A burst of requests after a pause is answered at once", arguments: [127, 128, 129, 256])
        func burst(count: Int) throws {
            let service = try ServiceProcess(environment: ["SPRINGBAR_LOG_LEVEL": "notice"], launcher: onOneCore())
            let request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
            let connections = try (0..<count).map { _ in try RawConnection(port: service.port) }
            for connection in connections { #expect(try connection.exchange(request).status == 200) }

            service.send(signal: SIGSTOP)
            for connection in connections { try connection.send(request) }
            service.send(signal: SIGCONT)
            let start = ContinuousClock.now
            for connection in connections { #expect(try connection.readResponse().status == 200) }
            #expect(.now - start < .seconds(20))
            #expect(!service.output.contains("warning"), "\(service.output)")
        }
    }
}
