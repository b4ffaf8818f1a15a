import Foundation
import Glibc
import TestSupport
import Testing

extension ProcessTests {
    /// Checks the service when its log lines are not read.
    @Suite("Standard output", .timeLimit(.minutes(2)))
    struct StandardOutputTests {
        /// A named pipe that the test may read.
        ///
        /// Its directory entry is removed at the end.
        private final class NamedPipe {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("springbar-\(UUID()).fifo").path
            private var descriptor: Int32 = -1

            init() throws {
                try #require(mkfifo(path, 0o600) == 0)
                // Children must not inherit it; otherwise the service itself would be a reader.
                descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                // F_SETPIPE_SZ is a GNU extension that is not imported. One page, so that the pipe is full soon.
                _ = fcntl(descriptor, 1031, 4096)
            }

            deinit {
                leave()
                unlink(path)
            }

            /// Closes the reading end.
            func leave() {
                if descriptor >= 0 { close(descriptor) }
                descriptor = -1
            }

            /// Reads until a line fulfils the condition; nil if there is none in time.
            func line(within limit: Duration = .seconds(20), _ condition: (Substring) -> Bool) -> String? {
                // The last line is not complete; the lines before it were already checked.
                var rest: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                var found: String?
                _ = eventually(within: limit) {
                    let count = read(descriptor, &buffer, buffer.count)
                    guard count > 0 else { return false }
                    rest += buffer[..<count]
                    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return false }
                    let lines = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\n")
                    rest.removeSubrange(...end)
                    found = lines.first(where: condition).map(String.init)
                    return found != nil
                }
                return found
            }

            /// Writes to the pipe until it is full.
            func fill() {
                let writer = open(path, O_WRONLY | O_NONBLOCK)
                let bytes = [UInt8](repeating: 10, count: 1000)
                while write(writer, bytes, bytes.count) > 0 {}
                while write(writer, bytes, 1) > 0 {}
                close(writer)
            }
        }

        /// Starts the service with redirections of the shell; `$1` in them is `path`.
        private func start(_ redirections: String, path: String = "", port: Int = 0, _ flags: String = "") throws
            -> RunningProcess
        {
            let command = "exec \"$0\" serve --port \(port) \(flags) \(redirections)"
            let words = ["-c", command, ServiceProcess.binary.path, path]
            return try RunningProcess(URL(fileURLWithPath: "/bin/sh"), words, environment: [:])
        }

        private func port(of line: String?) throws -> Int {
            let line = try #require(line)
            let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(record?["port"] as? Int)
        }

        /// Returns a port that was free just now, for a service that cannot report its port.
        private func freePort() throws -> Int {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            return try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    try #require(bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0)
                }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }

        /// Connects to a service that is starting.
        private func connected(_ port: Int) throws -> RawConnection {
            var connection: RawConnection?
            _ = eventually(within: .seconds(20)) {
                connection = try? RawConnection(port: port)
                return connection != nil
            }
            return try #require(connection)
        }

        /// Sends requests, a hundred at a time, and reads as many responses.
        private func ask(_ connection: RawConnection, times: Int) throws {
            for _ in 0..<times / 100 {
                try connection.send(String(repeating: "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", count: 100))
                for _ in 0..<100 { #expect(try connection.readResponse().status == 200) }
            }
        }

        private func droppedLines(_ connection: RawConnection) throws -> Int {
            let text = try connection.exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").text
            let match = text.firstMatch(of: /\nspringbar_log_lines_dropped_total ([0-9]+)\n/)
            return try #require(match.flatMap { Int($0.1) })
        }

        private func expectEnd(_ process: RunningProcess) {
            process.send(signal: SIGTERM)
            #expect(process.waitForEnd(within: .seconds(20)) == 0)
        }

        @Test("A pipe that is not read delays no response and no stop, and the dropped lines are reported later")
        func blocked() throws {
            let pipe = try NamedPipe()
            let process = try start(">\"$1\"", path: pipe.path)
            defer { process.kill() }
            let port = try port(of: pipe.line { $0.contains(#""message":"listening""#) })
            let connection = try connected(port)

            // The buffer holds a mebibyte, which is less than 5,500 lines.
            try ask(connection, times: 5500)
            // A thread that waited for the pipe would wait until it is read.
            try ask(try connected(port), times: 100)
            let dropped = try droppedLines(connection)
            #expect(dropped > 0)

            // Once the pipe is read again, a line reports the dropped lines.
            let report = pipe.line { $0.contains("log lines were dropped") }
            #expect(report?.contains(#""level":"warning""#) == true)
            #expect(report?.contains(#""dropped":"#) == true)

            try ask(connection, times: 5500)
            expectEnd(process)
        }

        @Test("A reader that goes away affects only the log")
        func readerGoesAway() throws {
            let pipe = try NamedPipe()
            let process = try start(">\"$1\"", path: pipe.path)
            defer { process.kill() }
            let connection = try connected(try port(of: pipe.line { $0.contains(#""message":"listening""#) }))
            pipe.leave()
            try ask(connection, times: 1000)
            #expect(eventually { (try? droppedLines(connection)) ?? 0 >= 1000 })
            try ask(connection, times: 1000)
            expectEnd(process)
        }

        @Test("A full disk affects only the log")
        func fullDisk() throws {
            let port = try freePort()
            let process = try start(">/dev/full", port: port)
            defer { process.kill() }
            let connection = try connected(port)
            try ask(connection, times: 1000)
            #expect(eventually { (try? droppedLines(connection)) ?? 0 >= 1000 })
            expectEnd(process)
        }

        @Test("Descriptors of closed standard streams are not reused by the service")
        func closed() throws {
            let port = try freePort()
            let process = try start("<&- >&- 2>&-", port: port)
            defer { process.kill() }
            let connection = try connected(port)
            try ask(connection, times: 200)
            for descriptor in 0...2 {
                let link = try FileManager.default
                    .destinationOfSymbolicLink(atPath: "/proc/\(process.identifier)/fd/\(descriptor)")
                #expect(link == "/dev/null", "descriptor \(descriptor)")
            }
            #expect(try droppedLines(connection) == 0)
            expectEnd(process)
        }

        @Test("The welcome does not wait for a full pipe", arguments: ["json", "text"])
        func welcome(format: String) throws {
            let pipe = try NamedPipe()
            pipe.fill()
            let port = try freePort()
            let process = try start(">\"$1\"", path: pipe.path, port: port, "--log-format \(format)")
            defer { process.kill() }
            try ask(try connected(port), times: 200)
            expectEnd(process)
        }
    }
}
