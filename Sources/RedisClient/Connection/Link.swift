import Glibc
import Network

/// The result of a read or a write; with TLS, both make the handshake first.
enum LinkProgress: Equatable {
    case moved(Int)
    case needsRead
    case needsWrite
    case failed(ConnectionFailure)
}

/// A socket that never blocks, with TLS or without.
///
/// It owns the descriptor and the TLS session and closes both in `deinit`. Only the thread of the loop uses it.
final class Link {
    let descriptor: Int32
    private var session: TLSSession?

    /// Opens a socket and begins to connect it; with `tls` the server must have a certificate for `name`.
    init(to address: SocketAddress, _ tls: TLSContext?, name: String) throws(ConnectionFailure) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw .unreachable(Self.text(of: errno)) }
        if address.family != AF_UNIX {
            // Commands of several callers are already sent in one write, so Nagle's algorithm would only delay them.
            set(Int32(IPPROTO_TCP), TCP_NODELAY)
            set(SOL_SOCKET, SO_KEEPALIVE)
        }
        let result = address.withPointer { connect(descriptor, $0, $1) }
        let code = errno
        // EAGAIN: the queue of a Unix socket is full (connect(2)); such a socket does not become connected later.
        guard result == 0 || code == EINPROGRESS else {
            // `deinit` closes the socket: every property is set.
            throw .unreachable(Self.text(of: code))
        }
        session = try tls.map { (tls) throws(ConnectionFailure) in
            try TLSSession(tls, descriptor: descriptor, name: name)
        }
    }

    deinit {
        session = nil
        close(descriptor)
    }

    private func set(_ level: Int32, _ option: Int32) {
        var one: Int32 = 1
        setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns the result of the connecting after the socket became writable; nil if it is connected.
    func connectFailure() -> ConnectionFailure? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            return .unreachable(Self.text(of: errno))
        }
        return code == 0 ? nil : .unreachable(Self.text(of: code))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkProgress {
        if let session { return session.read(into: buffer) }
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return switch count {
        case 1...: .moved(count)
        case 0: .failed(.closed)
        default: isTemporary(errno) ? .needsRead : .failed(.closed)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> LinkProgress {
        if let session { return session.write(bytes) }
        let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count >= 0 { return .moved(count) }
        return isTemporary(errno) ? .needsWrite : .failed(.closed)
    }

    private func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EINTR }

    private static func text(of code: Int32) -> String {
        // strerror(3) returns a constant text for every known code.
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
