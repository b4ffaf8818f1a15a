import CCurl
import Glibc

/// The connections with HTTP/1.1 that libcurl keeps between two transfers; only the thread of the loop uses it.
///
/// Before a request, libcurl tells no descriptor of the chosen connection, but its local port.
final class KeptConnections {
    private var sockets: [Int: curl_socket_t] = [:]

    /// More than libcurl keeps; beyond it, those that libcurl has closed are removed.
    private static let mostSockets = 256

    /// Adds the connection of a transfer that has ended.
    func add(_ socket: curl_socket_t, localPort: Int) {
        if sockets.count >= Self.mostSockets { sockets = sockets.filter { Self.isOpen($0.value, localPort: $0.key) } }
        sockets[localPort] = socket
    }

    /// Removes a connection that is used again; returns whether it has unread bytes, or has been closed by the server.
    func takeUnread(localPort: Int) -> Bool {
        guard let socket = sockets.removeValue(forKey: localPort), Self.isOpen(socket, localPort: localPort) else {
            return false
        }
        var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }

    /// Whether the descriptor is still that of the connection.
    private static func isOpen(_ socket: curl_socket_t, localPort: Int) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            // Any address begins as a `sockaddr`, and the system writes at most `length` bytes.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        guard code == 0 else { return false }
        // The port follows the family in the addresses of IPv4 and IPv6.
        let port = withUnsafeBytes(of: &address) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
        return Int(UInt16(bigEndian: port)) == localPort
    }
}
