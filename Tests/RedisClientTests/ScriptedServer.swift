import Glibc
import Network
import TestSupport

/// A server on 127.0.0.1 that reads commands and writes what a test tells it to, byte by byte.
///
/// Each connection has a thread of its own.
final class ScriptedServer: Sendable {
    /// An accepted connection.
    struct Connection: Sendable {
        /// The number of the connection, from 0 on.
        let number: Int
        fileprivate let base: LoopbackServer.Connection

        /// The port of the server.
        var port: Int { SocketAddress.port(of: base.descriptor) ?? 0 }

        /// False if the peer is gone.
        @discardableResult
        func write(_ text: String) -> Bool { base.write(text) }

        /// Reads a command; nil at the end of the connection, or after ten seconds.
        func readCommand() -> [String]? {
            guard let head = readLine(), head.first == "*", let count = Int(head.dropFirst()) else { return nil }
            var words: [String] = []
            for _ in 0..<count {
                guard let line = readLine(), line.first == "$", let length = Int(line.dropFirst()),
                    let bytes = readBytes(length + 2)
                else { return nil }
                words.append(String(decoding: bytes.dropLast(2), as: UTF8.self))
            }
            return words
        }

        /// Replies to the first commands of a client, as a server without a password does.
        func greet(isCluster: Bool = false) {
            while let command = readCommand(), command != ["INFO"] { write("+OK\r\n") }
            write(Connection.bulk("redis_version:7.0.15\r\ncluster_enabled:\(isCluster ? 1 : 0)\r\n"))
        }

        /// Serves commands with `reply` until the connection ends; nil for no reply.
        func serve(_ reply: ([String]) -> String?) {
            while let command = readCommand() {
                if let text = reply(command) { write(text) }
            }
        }

        /// Blocks until the peer closes, ten seconds at most.
        func waitForClose() { _ = base.waitForClose() }

        /// Ends the connection in both directions.
        func end() { base.breakOff() }

        /// Returns a map: each host and port with its last slot; the slots of the first one begin at 0.
        static func slots(_ owners: [(host: String, port: Int, last: Int)]) -> String {
            var first = 0
            let ranges = owners.map { owner in
                defer { first = owner.last + 1 }
                return "*3\r\n:\(first)\r\n:\(owner.last)\r\n*3\r\n\(bulk(owner.host)):\(owner.port)\r\n$0\r\n\r\n"
            }
            return "*\(owners.count)\r\n" + ranges.joined()
        }

        static func bulk(_ text: String) -> String { "$\(text.utf8.count)\r\n\(text)\r\n" }

        private func readLine() -> String? {
            var line: [UInt8] = []
            while line.last != 0x0A {
                guard let byte = readBytes(1) else { return nil }
                line += byte
            }
            return String(decoding: line.dropLast(2), as: UTF8.self)
        }

        private func readBytes(_ count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                var entry = pollfd(fd: base.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 10_000) > 0 else { return nil }
                let received = bytes.withUnsafeMutableBytes {
                    recv(base.descriptor, $0.baseAddress! + filled, count - filled, 0)
                }
                guard received > 0 else { return nil }
                filled += received
            }
            return bytes
        }
    }

    private let server: LoopbackServer

    var port: Int { server.port }
    var connections: Int { server.connections }

    init(_ handle: @escaping @Sendable (Connection) -> Void) throws {
        server = try LoopbackServer.reading { number, connection in
            handle(Connection(number: number, base: connection))
        }
    }

    /// Greets each client, replies to PING, and serves other commands with `reply`.
    convenience init(
        isCluster: Bool = false,
        reply: @escaping @Sendable (Connection, _ command: [String]) -> String?
    ) throws {
        try self.init { connection in
            connection.greet(isCluster: isCluster)
            connection.serve { $0 == ["PING"] ? "+PONG\r\n" : reply(connection, $0) }
        }
    }
}
