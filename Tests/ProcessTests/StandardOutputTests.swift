import Foundation
import Glibc
import TestSupport
import Testing

extension ProcessTests {
    @Suite("Standard output", .timeLimit(.minutes(2)))
    struct StandardOutputTests {
        /// Makes a named pipe that is full, and returns the descriptor of its reading end.
        private func fullPipe(_ path: String) throws -> Int32 {
            try #require(mkfifo(path, 0o600) == 0)
            // Children must not inherit it; otherwise the service itself would be a reader.
            let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            let writer = open(path, O_WRONLY | O_NONBLOCK)
            defer { close(writer) }
            let bytes = [UInt8](repeating: 10, count: 1000)
            while write(writer, bytes, bytes.count) > 0 {}
            while write(writer, bytes, 1) > 0 {}
            return reader
        }

        @Test("The welcome does not wait for a full pipe", arguments: ["json", "text"])
        func welcome(format: String) throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("springbar-\(UUID()).fifo").path
            let reader = try fullPipe(path)
            defer {
                close(reader)
                unlink(path)
            }
            let port = RedisServerProcess.freePort()
            let command = "exec \"$0\" serve --port \(port) --log-format \(format) >\"$1\""
            let words = ["-c", command, ServiceProcess.binary.path, path]
            let process = try RunningProcess(URL(fileURLWithPath: "/bin/sh"), words, environment: [:])
            defer { process.kill() }
            var connection: RawConnection?
            #expect(
                eventually(within: .seconds(20)) {
                    connection = try? RawConnection(port: port)
                    return connection != nil
                }
            )
            let request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
            for _ in 0..<200 { #expect(try connection?.exchange(request).status == 200) }
            process.send(signal: SIGTERM)
            #expect(process.waitForEnd(within: .seconds(20)) == 0)
        }
    }
}
