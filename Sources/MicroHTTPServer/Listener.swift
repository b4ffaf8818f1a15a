import CMicroHTTPD
import Glibc
import HTTPExchange
import Network
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

    /// The connections that the kernel may keep before they are accepted.
    private static let backlog: Int32 = 1024

    /// Binds and listens.
    init(_ configuration: Server.Configuration) throws(ServerError) {
        let (host, port) = (configuration.host, configuration.port)
        guard let number = UInt16(exactly: port) else { preconditionFailure("a port must be from 0 to 65535") }
        // Names are not looked up: a resolver should not decide where a server listens.
        guard IPAddress(host) != nil,
            let address = SocketAddress.lookUp(host, port: number, isNumeric: true).first
        else { throw .invalidHost(host) }
        let endpoint = BoundAddress(host: host, port: port)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw Self.refusal(errno, of: endpoint) }
        // A restarted server must not wait for the last one's connections to leave TIME_WAIT.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        Self.limitBuffers(of: descriptor, configuration)
        let isBound = address.withPointer { bind(descriptor, $0, $1) } == 0
        guard isBound, listen(descriptor, Self.backlog) == 0 else {
            let number = errno
            Glibc.close(descriptor)
            throw Self.refusal(number, of: endpoint)
        }
        self.descriptor = descriptor
        self.address = BoundAddress(host: host, port: SocketAddress.port(of: descriptor) ?? port)
    }

    /// Bounds the memory of the kernel for each connection, which inherits the options.
    ///
    /// The buffers would grow up to 4 and 6 MB (tcp(7), tcp_wmem and tcp_rmem), in no budget of ours, and outlive the connection.
    private static func limitBuffers(of descriptor: Int32, _ configuration: Server.Configuration) {
        for option in [SO_SNDBUF, SO_RCVBUF] {
            var bytes = Int32(clamping: configuration.socketBufferBytes)
            setsockopt(descriptor, SOL_SOCKET, option, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
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
        // EINVAL: a link-local address, which needs an interface.
        case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL: .foreignAddress(address)
        default: .cannotListen(address, reason: strerror(number).map { String(cString: $0) } ?? "error \(number)")
        }
    }
}
