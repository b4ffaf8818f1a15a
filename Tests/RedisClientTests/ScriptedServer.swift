import Foundation
import Glibc
import Synchronization

/// A server on 127.0.0.1 that reads commands and writes what a test tells it to, byte by byte.
///
/// Each connection has a thread of its own.
final class ScriptedServer: Sendable {
    /// An accepted connection.
    struct Connection: Sendable {
        /// The number of the connection, from 0 on.
        let number: Int
        let descriptor: Int32

        /// False if the peer is gone.
        @discardableResult
        func write(_ text: String) -> Bool {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

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
        func greet() {
            while let command = readCommand() {
                switch command {
                case ["INFO"]:
                    write(Connection.bulk("redis_version:7.0.15\r\ncluster_enabled:0\r\n"))
                    return
                default: write("+OK\r\n")
                }
            }
        }

        /// Serves commands with `reply` until the connection ends; nil for no reply.
        func serve(_ reply: ([String]) -> String?) {
            while let command = readCommand() {
                if let text = reply(command) { write(text) }
            }
        }

        /// Blocks until the peer closes, ten seconds at most.
        func waitForClose() {
            while readBytes(1) != nil {}
        }

        /// Ends the connection in both directions.
        func end() {
            shutdown(descriptor, Int32(SHUT_RDWR))
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
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 10_000) > 0 else { return nil }
                let received = bytes.withUnsafeMutableBytes {
                    recv(descriptor, $0.baseAddress! + filled, count - filled, 0)
                }
                guard received > 0 else { return nil }
                filled += received
            }
            return bytes
        }
    }

    let port: Int
    private let listener: Int32
    private let accepted: Counter

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    /// The connections so far.
    var connections: Int { accepted.count.load(ordering: .acquiring) }

    init(_ handle: @escaping @Sendable (Connection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        let accepted = Counter()
        self.accepted = accepted
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    // Closed by this thread: another one could reuse the number while this one still accepts.
                    close(listener)
                    return
                }
                let number = accepted.count.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
                Thread.detachNewThread {
                    handle(Connection(number: number, descriptor: descriptor))
                    close(descriptor)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }
}
