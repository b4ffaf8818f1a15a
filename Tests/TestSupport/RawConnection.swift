import Foundation
import Glibc
import Network
import Primitives

/// A TCP connection to a server on loopback that sends exactly the bytes it is given.
///
/// An HTTP client would repair, reorder or refuse malformed requests. Every wait has a limit, so a server that never
/// answers fails a test instead of hanging it. A connection is for one thread at a time.
package final class RawConnection {
    /// A failure, and the bytes received before it.
    package enum Failure: Error, CustomStringConvertible {
        case notConnected(errno: Int32)
        case notSent(errno: Int32)
        case notInTime(received: String)
        case closed(received: String)
        case malformed(String)

        package var description: String {
            switch self {
            case .notConnected(let number): "not connected: \(String(cString: strerror(number)))"
            case .notSent(let number): "not sent: \(String(cString: strerror(number)))"
            case .notInTime(let received): "nothing in time after \(received.debugDescription)"
            case .closed(let received): "closed after \(received.debugDescription)"
            case .malformed(let text): "not a response: \(text.debugDescription)"
            }
        }
    }

    private var descriptor: Int32
    /// Bytes that are received but not yet read.
    private var pending: [UInt8] = []

    /// Connects to an IPv4 or IPv6 address.
    ///
    /// `source` is the client's address, an IPv4 address of the machine; nil lets the system choose. `receiveBuffer` is the
    /// size of the kernel's buffer for a reader that does not read; nil means its default.
    package init(host: String = "127.0.0.1", port: Int, from source: String? = nil, receiveBuffer: Int32? = nil) throws
    {
        func address(_ text: String, _ port: Int) throws -> SocketAddress {
            let found = SocketAddress.lookUp(text, port: UInt16(clamping: port), isNumeric: true).first
            guard let found else { throw Failure.notConnected(errno: EINVAL) }
            return found
        }
        let server = try address(host, port)
        descriptor = socket(server.family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.notConnected(errno: errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        // All properties are set, so `deinit` closes the descriptor of a connection that fails from here on.
        if let source, try address(source, 0).withPointer({ bind(descriptor, $0, $1) }) != 0 {
            throw Failure.notConnected(errno: errno)
        }
        guard server.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw Failure.notConnected(errno: errno)
        }
    }

    deinit {
        close()
    }

    /// Sends the text as UTF-8.
    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends all of `bytes`, and waits while the kernel's buffers are full.
    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }  // `!`: not empty, since sent < count
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure.notSent(errno: errno)
            }
            sent += count
        }
    }

    /// Closes the sending half.
    ///
    /// The server reads an end of file and can still answer.
    package func halfClose() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes both halves in order (FIN).
    package func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Aborts the connection (RST), as a crashed peer does.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    // MARK: Receiving

    /// Receives bytes once and appends them to `pending`.
    ///
    /// Returns false at the end of the stream.
    private func receive(until limit: ContinuousClock.Instant, at most: Int = 65_536) throws -> Bool {
        let left = limit - .now
        let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&poller, 1, Int32(clamping: max(0, milliseconds)))
        if ready < 0, errno == EINTR { return true }
        guard ready > 0 else { throw Failure.notInTime(received: String(decoding: pending, as: UTF8.self)) }
        var buffer = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        pending.append(contentsOf: buffer[..<count])
        return true
    }

    /// Reads exactly `count` bytes.
    package func read(count: Int, within limit: Duration = .seconds(20)) throws -> [UInt8] {
        let end = ContinuousClock.now + limit
        while pending.count < count {
            guard try receive(until: end) else { throw Failure.closed(received: text(of: pending)) }
        }
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }

    /// Reads up to and including `mark`.
    package func read(through mark: String, within limit: Duration = .seconds(20)) throws -> String {
        let end = ContinuousClock.now + limit
        let mark = Data(mark.utf8)
        while true {
            if let range = Data(pending).range(of: mark) {
                defer { pending.removeFirst(range.upperBound) }
                return text(of: Array(pending.prefix(range.upperBound)))
            }
            guard try receive(until: end) else { throw Failure.closed(received: text(of: pending)) }
        }
    }

    /// Reads until the server closes or aborts the connection.
    package func readToEnd(within limit: Duration = .seconds(20)) throws -> [UInt8] {
        let end = ContinuousClock.now + limit
        while try receive(until: end) {}
        defer { pending = [] }
        return pending
    }

    /// Returns whether the server closes the connection in time without sending another byte.
    package func isClosed(within limit: Duration = .seconds(20)) -> Bool {
        guard pending.isEmpty else { return false }
        let more = try? receive(until: .now + limit)
        return more == false
    }

    /// Returns whether nothing arrives and the connection stays open for this time.
    package func isSilent(for time: Duration) -> Bool {
        guard pending.isEmpty else { return false }
        do {
            _ = try receive(until: .now + time)
            return false
        } catch {
            return true
        }
    }

    private func text(of bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Responses

    /// Reads one response as RFC 9112, section 6.3, delimits it.
    ///
    /// After a HEAD (`toHead`) no content follows, whatever the fields say.
    package func readResponse(toHead head: Bool = false, within limit: Duration = .seconds(20)) throws -> RawResponse {
        let text = try read(through: "\r\n\r\n", within: limit)
        var response = try RawResponse(head: text)
        if head || response.status == 204 || response.status == 304 || response.status < 200 { return response }
        if response["Transfer-Encoding"]?.lowercased() == "chunked" {
            while true {
                let size = try readChunk(within: limit)
                if size.isEmpty { break }
                response.content += size
            }
        } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
            response.content = try read(count: length, within: limit)
        } else {
            response.content = try readToEnd(within: limit)
        }
        return response
    }

    /// Reads one chunk of a chunked response.
    ///
    /// The last chunk is empty, and its end is read too.
    package func readChunk(within limit: Duration = .seconds(20)) throws -> [UInt8] {
        let line = try read(through: "\r\n", within: limit).dropLast(1)
        guard let size = Int(line.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16) else {
            throw Failure.malformed(String(line))
        }
        let content = try read(count: size, within: limit)
        guard try read(count: 2, within: limit) == [13, 10] else { throw Failure.malformed(text(of: content)) }
        return content
    }

    /// Sends a request and reads its response.
    package func exchange(_ request: String, within limit: Duration = .seconds(20)) throws -> RawResponse {
        try send(request)
        return try readResponse(toHead: request.hasPrefix("HEAD "), within: limit)
    }
}
