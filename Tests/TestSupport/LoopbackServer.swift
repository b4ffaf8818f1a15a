import Foundation
import Glibc
import Network
import Primitives
import Synchronization

/// A server on 127.0.0.1 that a test controls byte by byte; each connection has its own thread.
///
/// A connection is kept for requests with `/kept` in their head.
package final class LoopbackServer: Sendable {
    /// A connection whose request has arrived.
    package struct Connection: Sendable {
        package let descriptor: Int32

        /// Returns false if the peer has disconnected.
        @discardableResult
        package func write(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        /// Sends a complete response.
        package func answer(_ content: [UInt8], status: String = "200 OK", fields: [String] = []) {
            let head = (["HTTP/1.1 \(status)", "Content-Length: \(content.count)"] + fields).joined(separator: "\r\n")
            write(Array((head + "\r\n\r\n").utf8) + content)
        }

        package func answer(_ content: String, status: String = "200 OK", fields: [String] = []) {
            answer(Array(content.utf8), status: status, fields: fields)
        }

        /// Blocks until the peer closes, for at most ten seconds; returns false if it does not.
        package func waitForClose() -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, 10_000) > 0 {
                var byte: UInt8 = 0
                if recv(descriptor, &byte, 1, 0) <= 0 { return true }
            }
            return false
        }

        /// Ends a connection that is kept, without a response.
        package func breakOff() {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }

        /// Closes with a reset (RST).
        package func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
    }

    package let port: Int
    private let listener: Int32
    private let record: Record

    private final class Record: Sendable {
        let heads = Lock<[String]>([])
        let accepted = Lock(0)
    }

    /// The heads of the requests so far.
    package var requests: [String] { record.heads.withLock { $0 } }

    /// The number of connections so far.
    package var connections: Int { record.accepted.withLock { $0 } }

    package var url: String { "http://127.0.0.1:\(port)" }

    package convenience init(_ handle: @escaping @Sendable (_ head: String, Connection) -> Void) throws {
        let record = Record()
        try self.init(record) { _, connection in
            while let head = LoopbackServer.readHead(connection.descriptor) {
                record.heads.withLock { $0.append(head) }
                handle(head, connection)
                // A handler that keeps the connection responds with a length; other connections are closed here.
                guard head.contains("/kept") else { break }
            }
        }
    }

    /// Passes each connection with its number, from 0 on; the handler reads what arrives.
    package static func reading(_ handle: @escaping @Sendable (_ number: Int, Connection) -> Void) throws
        -> LoopbackServer
    {
        try LoopbackServer(Record(), handle)
    }

    private init(_ record: Record, _ handle: @escaping @Sendable (_ number: Int, Connection) -> Void) throws {
        self.record = record
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        let address = SocketAddress.lookUp("127.0.0.1", port: 0, isNumeric: true).first
        guard address?.withPointer({ bind(listener, $0, $1) }) == 0, listen(listener, 128) == 0,
            let port = SocketAddress.port(of: listener)
        else { throw POSIXError(.EADDRINUSE) }
        self.port = port
        Thread.detachNewThread { [listener, record] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    // This thread closes the listener, not the one that shuts it down. Another server could get the
                    // number at once, and this thread would accept its connections.
                    close(listener)
                    return
                }
                let number = record.accepted.withLock { count in
                    defer { count += 1 }
                    return count
                }
                Thread.detachNewThread {
                    handle(number, Connection(descriptor: descriptor))
                    close(descriptor)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func readHead(_ descriptor: Int32) -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(descriptor, &byte, 1, 0) == 1, head.count < 65_536 else { return nil }
            head.append(byte)
        }
        let text = String(decoding: head, as: UTF8.self)
        // The content is not needed, but the next head follows it.
        let length = text.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        for _ in 0..<(length.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0) {
            guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
        }
        return text
    }
}
