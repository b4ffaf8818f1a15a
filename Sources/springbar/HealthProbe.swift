import Glibc
import Network
import Primitives
import SpringbarService

/// Checks a running service, for the HEALTHCHECK of an image without curl.
enum HealthProbe {
    /// The limit of the connection, of the request and of the answer, in seconds each.
    private static let timeout = 2

    /// Runs `springbar health`; throws a failure with exit status 1 if the service on this machine is not healthy.
    static func run(_ arguments: ArraySlice<String>) throws {
        let flags = try CommandFlags(arguments, names: ["--host", "--port"])
        let server = try Springbar.configuration(flags).server
        let host = server.host.reachable
        // A server on all addresses of IPv6 is also reached over IPv4, where the loopback interface may have no ::1.
        guard
            isHealthy(host, server.port) || host == "::1" && host != server.host && isHealthy("127.0.0.1", server.port)
        else {
            throw CommandFailure(status: 1, message: "no healthy answer from \(host) port \(server.port)")
        }
        try StandardOutput.print("healthy\n")
    }

    /// Returns whether `GET /healthz` answers 200 within the time-out.
    private static func isHealthy(_ host: String, _ port: Int) -> Bool {
        guard let address = SocketAddress.lookUp(host, port: UInt16(clamping: port), isNumeric: true).first else {
            return false
        }
        let socket = Glibc.socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        // On Linux SO_SNDTIMEO also limits connect(2), see socket(7).
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard address.withPointer({ connect(socket, $0, $1) }) == 0 else { return false }
        let authority = host.contains(":") ? "[\(host)]" : host
        let request = "GET /healthz HTTP/1.1\r\nHost: \(authority):\(port)\r\nConnection: close\r\n\r\n"
        guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            return false
        }
        let expected = "HTTP/1.1 200"
        let line = String(unsafeUninitializedCapacity: expected.utf8.count) { buffer in
            max(0, recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_WAITALL)))
        }
        return line == expected
    }
}

extension String {
    /// The address at which a server that listens on this one, or on all, is reached from its own machine.
    var reachable: String {
        let all = [("0.0.0.0", "127.0.0.1"), ("::", "::1")]
        return all.first { IPAddress($0.0) == IPAddress(self) }?.1 ?? self
    }
}
