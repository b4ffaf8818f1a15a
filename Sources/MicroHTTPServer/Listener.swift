import CMicroHTTPD
import Glibc
import HTTPExchange
import Primitives

/// A listening socket.
///
/// The library does not own it. `MHD_quiesce_daemon` removes the library's own socket from the epoll sets of the workers
/// on another thread while each worker may be doing the same, and the second removal calls `MHD_PANIC`
/// (daemon.c:5531 of 0.9.75: "Failed to remove listen FD from epoll set"): under load, 5 of 800 quiesced daemons aborted
/// the process. This socket is accepted from and closed by one thread, and its errors tell why it cannot be bound.
struct Listener {
    let descriptor: Int32
    let address: BoundAddress

    /// Binds and listens.
    init(host: String, port: Int, backlog: Int) throws(ServerError) {
        guard let number = UInt16(exactly: port) else { throw .invalidPort(port) }
        guard let address = SocketAddress(host: host, port: number) else { throw .invalidHost(host) }
        let wanted = BoundAddress(host: host, port: port)

        let descriptor = socket(
            address.family,
            Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
            0
        )
        guard descriptor >= 0 else { throw Self.refusal(errno, of: wanted) }
        // A restarted server must not wait for the last one's connections to leave TIME_WAIT.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isBound = address.withPointer { bind(descriptor, $0, $1) } == 0
        guard isBound, listen(descriptor, Int32(clamping: backlog)) == 0 else {
            let number = errno
            Glibc.close(descriptor)
            throw Self.refusal(number, of: wanted)
        }
        self.descriptor = descriptor
        self.address = BoundAddress(host: host, port: SocketAddress.port(of: descriptor) ?? port)
    }

    /// Stops listening; connections that were not accepted are reset.
    func close() {
        Glibc.close(descriptor)
    }

    /// Converts an error number of socket(2), bind(2) or listen(2) to a `ServerError`.
    private static func refusal(_ number: Int32, of address: BoundAddress) -> ServerError {
        switch number {
        case EADDRINUSE: .addressInUse(address)
        case EACCES: .forbiddenPort(address)
        case EADDRNOTAVAIL, EAFNOSUPPORT: .foreignAddress(address)
        default:
            .cannotListen(address, reason: strerror(number).map { String(cString: $0) } ?? "error \(number)")
        }
    }
}

/// An IPv4 or IPv6 address with a port, as the system's calls take it.
struct SocketAddress {
    private var storage: sockaddr_storage
    private let length: socklen_t

    var family: Int32 { Int32(storage.ss_family) }

    /// Parses an IPv4 or IPv6 literal; nil for anything else.
    ///
    /// Names are not looked up: that would block, and a resolver should not decide where a server listens.
    init?(host: String, port: UInt16) {
        storage = sockaddr_storage()
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v4, as: sockaddr_in.self) }
        } else if inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v6, as: sockaddr_in6.self) }
        } else {
            return nil
        }
    }

    /// Passes the address and its length to a system call.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// Returns the port of a bound socket; nil for another kind of descriptor.
    static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        // The port is at the same offset in both kinds of address.
        return withUnsafeBytes(of: storage) { Int(UInt16(bigEndian: $0.load(as: sockaddr_in.self).sin_port)) }
    }

    /// Returns the address without its port; nil for another family.
    static func address(of address: UnsafePointer<sockaddr>) -> IPAddress? {
        let isV6 = Int32(address.pointee.sa_family) == AF_INET6
        let length = isV6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return IPAddress(socketAddress: UnsafeRawBufferPointer(start: address, count: length))
    }
}
