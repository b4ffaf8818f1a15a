package import Primitives

extension Server {
    /// What a server keeps to.
    package struct Configuration: Sendable {
        /// The address to listen at: an IPv4 or IPv6 literal such as `127.0.0.1`, `0.0.0.0`, `::1` or `::`.
        package var host = "127.0.0.1"
        /// 0 takes a free one.
        package var port = 8080
        /// Worker threads; nil for one a core.
        package var threads: Int?
        /// The most bytes of content that a request may have; more is answered 413.
        package var maxBodyBytes = 262_144
        /// The most connections open at once; one more is closed at once.
        package var maxConnections = 4096
        /// The most connections of one client (an IPv4 address or an IPv6 /64) open at once; 0 for no limit.
        package var maxConnectionsPerClient = 0
        /// Peers that are not limited by it: proxies, which bring the connections of many clients.
        package var unlimitedPeers: [CIDR] = []
        /// Connections above the limits that are still taken, for `Responder.isOperation`; 0 for none.
        package var reservedConnections = 0
        /// What content being received and answers waiting to be sent are charged to.
        package var memory = MemoryBudget.unlimited
        /// Connections that the kernel may keep before they are accepted.
        package var backlog = 1024
        /// For receiving a whole request, from the connection's start or the end of the request before; and, counted
        /// anew, for the answer that a handler promised.
        ///
        /// A stream may last as long as it likes.
        package var requestTimeout: Duration = .seconds(30)
        /// For a connection on which nothing moves; rounded up to whole seconds, as the library counts.
        package var idleTimeout: Duration = .seconds(30)
        /// How often open streams are asked for a sign of life.
        package var heartbeatInterval: Duration = .seconds(15)
        /// How long a drain waits for what is in flight.
        package var drainDeadline: Duration = .seconds(4)
        /// Called first when a drain begins, to be not ready before anything is closed.
        package var onDrain: @Sendable () -> Void = {}

        package init() {}

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }
}

/// Where a server listens.
package struct BoundAddress: Sendable, Equatable, CustomStringConvertible {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// As it stands in a URL, such as `127.0.0.1:8080` or `[::1]:8080`.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Why a server did not start.
package enum ServerError: Error, Equatable, CustomStringConvertible {
    /// The host is not an IPv4 or IPv6 literal.
    case invalidHost(String)
    /// The port is not in 0...65535.
    case invalidPort(Int)
    /// Somebody else listens there.
    case addressInUse(BoundAddress)
    /// The port is one of those that need a privilege (ip(7), `ip_unprivileged_port_start`).
    case forbiddenPort(BoundAddress)
    /// The host is the address of another machine, or of a family that this one does not speak.
    case foreignAddress(BoundAddress)
    /// The system refused; `reason` is its words.
    case cannotListen(BoundAddress, reason: String)
    /// The system or the library refused a thread, a descriptor or memory; `reason` says which.
    case cannotStart(reason: String)
    /// A server starts once.
    case alreadyStarted

    package var description: String {
        switch self {
        case .invalidHost(let host):
            "cannot listen at \"\(host)\": it is not an IPv4 or IPv6 address, such as 127.0.0.1 or ::1"
        case .invalidPort(let port): "cannot listen at port \(port): ports are 0 to 65535"
        case .addressInUse(let address): "cannot listen at \(address): the address is in use"
        case .forbiddenPort(let address): "cannot listen at \(address): the port needs a privilege"
        case .foreignAddress(let address): "cannot listen at \(address): it is not an address of this machine"
        case .cannotListen(let address, let reason): "cannot listen at \(address): \(reason)"
        case .cannotStart(let reason): "cannot start the server: \(reason)"
        case .alreadyStarted: "the server was started before"
        }
    }
}
