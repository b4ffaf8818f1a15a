import Glibc
import SpringbarService

/// Checks a running service, for the HEALTHCHECK of an image without curl.
struct HealthProbe {
    let host: String
    let port: Int
    let timeout: Duration

    /// Runs `springbar health`.
    ///
    /// - Throws: a failure with exit status 1 if the service on this machine is not healthy.
    static func run(_ arguments: ArraySlice<String>) throws {
        let flags = try CommandFlags(arguments, names: ["--host", "--port"])
        let server = try Springbar.configuration(flags).server
        let probe = HealthProbe(host: reachable(server.host), port: server.port, timeout: .seconds(2))
        guard probe.isHealthy() else {
            throw CommandFailure(status: 1, message: "no healthy answer from \(probe.host) port \(probe.port)")
        }
        print("healthy")
    }

    /// Returns the address at which a server that listens on `host` is reached from its own machine.
    static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    /// Returns whether `GET /healthz` answers 200 within the time-out.
    func isHealthy() -> Bool {
        guard let socket = connected() else { return false }
        defer { close(socket) }
        let authority = host.contains(":") ? "[\(host)]" : host
        let request = "GET /healthz HTTP/1.1\r\nHost: \(authority):\(port)\r\nConnection: close\r\n\r\n"
        guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            return false
        }
        let wanted = "HTTP/1.1 200"
        let line = String(unsafeUninitializedCapacity: wanted.utf8.count) { buffer in
            max(0, recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_WAITALL)))
        }
        return line == wanted
    }

    private func connected() -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee else { return nil }
        defer { freeaddrinfo(found) }
        let socket = Glibc.socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard socket >= 0 else { return nil }
        // On Linux SO_SNDTIMEO also limits connect(2), see socket(7).
        let (seconds, attoseconds) = timeout.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        if connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return socket }
        close(socket)
        return nil
    }
}
