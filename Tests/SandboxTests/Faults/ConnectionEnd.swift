import Glibc

/// The end of a connection, as seen by a client that reads with `recv`.
struct ConnectionEnd: Equatable {
    /// True if content arrived after the fields.
    var hasContent: Bool
    /// True if the last read failed with ECONNRESET instead of the end.
    var isReset: Bool

    init(hasContent: Bool, isReset: Bool) {
        self.hasContent = hasContent
        self.isReset = isReset
    }

    /// Sends `request` to loopback with `Connection: close`, and reads until the end.
    init(of request: String, port: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        let closing = request.dropLast(2) + "Connection: close\r\n\r\n"
        send(descriptor, String(closing), closing.utf8.count, Int32(MSG_NOSIGNAL))
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        repeat {
            count = recv(descriptor, &buffer, buffer.count, 0)
            received += buffer.prefix(max(count, 0))
        } while count > 0
        isReset = count < 0 && errno == ECONNRESET
        // The fields end with an empty line.
        let end = received.indices.first { received[$0...].starts(with: "\r\n\r\n".utf8) }
        hasContent = end.map { $0 + 4 < received.count } ?? false
    }
}
