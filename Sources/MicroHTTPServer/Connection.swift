import CMicroHTTPD
import Glibc
import HTTPExchange
import Primitives
import Synchronization

/// One client's connection, from its acceptance to its close notification.
final class Connection: Sendable {
    /// Never reused, unlike the descriptor.
    let number: UInt64
    /// The library's descriptor: valid until the close notification has returned.
    let descriptor: Int32
    /// The peer's address without its port, and its text, which is formatted once a connection.
    private let address: IPAddress?
    let peer: String
    /// The client that the connection counts for; nil for a trusted proxy, which forwards requests of several clients.
    let directClient: ClientKey?
    /// Whether the connection belongs to the reserve, which serves one request for an operation within a short time.
    let isReserve: Bool
    /// Retained: a task that ignores its cancellation may outlive the server together with its exchange.
    let server: ServerContext

    /// The time-out of a request, in nanoseconds.
    private let timeout: Int64
    /// When the request that is being received must be complete, in nanoseconds of `Instant`; `.max` while none
    /// is awaited.
    private let deadline: Atomic<Int64>
    private let expired = Atomic(false)

    init(number: UInt64, descriptor: Int32, peer address: IPAddress?, isReserve: Bool = false, server: ServerContext) {
        self.number = number
        self.descriptor = descriptor
        self.address = address
        peer = address?.description ?? ""
        directClient = server.limitedClient(at: address)
        self.isReserve = isReserve
        self.server = server
        let limit = isReserve ? Self.reserveRequestTimeout : server.configuration.requestTimeout
        // Half of the range, so that no sum overflows.
        timeout = min(limit.wholeNanoseconds, .max / 2)
        deadline = Atomic(Instant.coarse.nanoseconds + timeout)
    }

    /// The time-out for the request on a connection of the reserve: a health check sends it at once.
    static let reserveRequestTimeout: Duration = .seconds(1)
    /// The time-out for reading the response on a connection of the reserve.
    static let reserveAnswerTimeout: Duration = .seconds(5)

    /// Returns the address of the client that a trusted proxy forwards; nil if the peer is not a trusted proxy.
    func forwardedClient(in fields: Fields) -> IPAddress? {
        guard directClient == nil, let address else { return nil }
        return server.configuration.proxies.client(behind: address, fields)
    }

    /// Sets the deadline of the next request; a connection of the reserve has no next one.
    func awaitRequest() {
        if isReserve { return }
        deadline.store(Instant.coarse.nanoseconds + timeout, ordering: .relaxed)
    }

    /// Clears the deadline of a complete request; on a connection of the reserve, sets that of the response.
    func requestArrived() {
        let next = isReserve ? (Instant.coarse + Self.reserveAnswerTimeout).nanoseconds : .max
        deadline.store(next, ordering: .relaxed)
    }

    /// Whether the connection was shut down at its deadline.
    var isExpired: Bool { expired.load(ordering: .relaxed) }

    /// Shuts the connection down if its deadline has passed.
    ///
    /// Called under the lock of `Connections` only; see there.
    func expire(at now: Instant) {
        let due = deadline.load(ordering: .relaxed)
        // Fails if the request has become complete in the meantime.
        guard due < now.nanoseconds,
            deadline.compareExchange(expected: due, desired: .max, ordering: .relaxed).exchanged
        else { return }
        expired.store(true, ordering: .relaxed)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Has the library's worker read the remaining data and the end after the client has closed its side.
    ///
    /// Called under the lock of `Connections` only; see there. `SHUT_RD` discards no received data, and a response can
    /// still be sent; but it wakes every epoll set that the socket is in (Linux, `inet_shutdown`:
    /// "Wake up anyone sleeping in poll"), also the library's edge-triggered one.
    func endReading() {
        shutdown(descriptor, Int32(SHUT_RD))
    }
}

/// The library's connection.
///
/// `@unchecked Sendable`: other threads only call `resume`, which the manual allows ("It is safe to resume a suspended
/// connection at any time"). The pointer is valid while the connection is suspended, because the library neither times
/// out nor closes a suspended connection. The state machines resume only suspended ones.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Suspends the connection; called on its worker only, from the handler or a content reader.
    func suspend() {
        MHD_suspend_connection(pointer)
    }

    /// Resumes the connection: its worker calls the handler or the content reader again.
    func resume() {
        MHD_resume_connection(pointer)
    }

    /// Has the worker visit the connection each time it wakes; called on its worker only, before a stream is ended early.
    func visitAlways() {
        microhttpd_visit_always(pointer)
    }

    /// Resets the connection (RST); called on its worker only.
    ///
    /// The library would close it in order, with a FIN first. Connecting a connected socket to no address dissolves it at
    /// once (connect(2): "Some protocol sockets (e.g., TCP sockets …) may dissolve the association by connecting to an
    /// address with the sa_family member … set to AF_UNSPEC"), and for TCP that is a reset.
    func reset() {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(microhttpd_descriptor(pointer), &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
