import HTTPExchange
package import Network
package import Primitives

extension Server {
    /// The settings of a server.
    package struct Configuration: Sendable {
        /// The address to listen on: an IPv4 or IPv6 literal such as `127.0.0.1`, `0.0.0.0`, `::1` or `::`.
        package var host: String
        /// The port, 0 to 65535; 0 selects a free one.
        package var port: Int
        /// The number of worker threads; nil for one for each core, up to `maxThreads`.
        package var threads: Int?
        package var maxThreads = Int.max
        /// The most bytes of content that a request may have; more is answered 413.
        package var maxBodyBytes = 262_144
        /// The most bytes of a request's head without its cookies, 8 KiB at least; more is answered 431.
        ///
        /// A connection takes twice as much memory. 8 KiB are the usual limit of proxies.
        package var maxHeadBytes = 8192
        /// The most connections open at once; one more is closed at once.
        package var maxConnections = 4096
        /// The most connections of one client (an IPv4 address or an IPv6 /64) open at once; 0 for no limit.
        package var maxConnectionsPerClient = 0
        /// The proxies, which open the connections of many clients and so have no limit of connections.
        ///
        /// A request counts for the client that they forward.
        package var proxies = TrustedProxies()
        /// The size that is set for the kernel's buffers of a connection, one for each direction.
        package var socketBufferBytes = 128 << 10
        /// Connections above the limits that are still taken, for `Responder.isOperation`; 0 for none.
        package var reservedConnections = 0
        /// The budget of request content in memory, and of responses that wait to be sent.
        package var memory = MemoryBudget.unlimited
        /// The time-out of a request until it is complete, and from then on of a promised response, and of a reader that takes
        /// nothing of a response.
        ///
        /// A stream has no time-out.
        package var requestTimeout: Duration = .seconds(30)
        /// The time-out of a connection without traffic, rounded up to whole seconds; not less than that of a request.
        package var idleTimeout: Duration = .seconds(75)
        /// The time between two heartbeats of an open stream.
        package var heartbeatInterval: Duration = .seconds(15)
        /// The time for which a drain waits for open requests.
        package var drainDeadline: Duration = .seconds(4)
        /// Called at the start of a drain, before anything is closed, so that the service can report that it is not ready.
        package var onDrain: @Sendable () -> Void = {}

        package init(host: String = "127.0.0.1", port: Int = 8080) {
            self.host = host
            self.port = port
        }
    }
}

/// The address and port on which a server listens.
package struct BoundAddress: Sendable, Equatable, CustomStringConvertible {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The form in a URL, such as `127.0.0.1:8080` or `[::1]:8080`.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The reason for which a server did not start.
package enum ServerError: Error, Equatable {
    /// The host is not an IPv4 or IPv6 literal.
    case invalidHost(String)
    /// The address is in use.
    case addressInUse(BoundAddress)
    /// The port is one of those that need a privilege (ip(7), `ip_unprivileged_port_start`).
    case forbiddenPort(BoundAddress)
    /// The host is the address of another machine, or of a family that this one does not speak.
    case foreignAddress(BoundAddress)
    /// The system refused the address; `reason` is its message.
    case cannotListen(BoundAddress, reason: String)
    /// The system or the library refused a thread, a descriptor or memory; `reason` says which.
    case cannotStart(reason: String)
}
