import Foundation
import Glibc
import TestSupport
import Testing

extension ProcessTests {
    @Suite("Requests that come all at once")
    struct BurstTests {
        /// What makes a command run on one core, where a service has one worker; it is the first core we may use.
        private func onOneCore() throws -> [String] {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let first = try #require(status.firstMatch(of: /Cpus_allowed_list:\s+([0-9]+)/))
            return ["/usr/bin/taskset", "--cpu-list", String(first.1)]
        }

        // The library takes 128 events at a time, and falls asleep when there are no more than these; see `Nudge`.
        @Test("are answered at once after a pause, however many there are", arguments: [127, 128, 129, 256])
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
            #expect(.now - start < .seconds(3))
            #expect(!service.output.contains("warning"), "\(service.output)")
        }
    }
}
