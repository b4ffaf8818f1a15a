import CMicroHTTPD
import Glibc
import HTTPExchange
import Network
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
    /// The client of the last request, which pays for its response.
    let payer: Lock<ClientKey?>
    /// Whether the connection belongs to the reserve, which serves one request for an operation within a short time.
    let isReserve: Bool
    /// Retained: a task that ignores its cancellation may outlive the server together with its exchange.
    let server: ServerContext

    /// The time-outs of a request and of a connection on which nothing arrives, in nanoseconds.
    private let timeout: Int64
    private let idleTimeout: Int64
    /// When the request that is being received must be complete, in nanoseconds of `Instant`; `.max` while none
    /// is awaited.
    ///
    /// An odd number is the end of an idle connection instead.
    private let deadline: Atomic<Int64>
    /// Whether the request line of the awaited request has arrived.
    private let hasBegun = Atomic(false)
    private let expired = Atomic(false)
    private let endedIdle = Atomic(false)

    init(number: UInt64, descriptor: Int32, peer address: IPAddress?, isReserve: Bool = false, server: ServerContext) {
        self.number = number
        self.descriptor = descriptor
        self.address = address
        peer = address?.description ?? ""
        directClient = server.limitedClient(at: address)
        payer = Lock(directClient)
        self.isReserve = isReserve
        self.server = server
        let limit = isReserve ? Self.reserveRequestTimeout : server.configuration.requestTimeout
        // Half of the range, so that no sum overflows.
        timeout = min(limit.wholeNanoseconds, .max / 2)
        idleTimeout = isReserve ? timeout : min(server.configuration.idleTimeout.wholeNanoseconds, .max / 2)
        deadline = Atomic((Instant.coarse.nanoseconds + timeout) & ~1)
    }

    /// The time-out for the request on a connection of the reserve: a health check sends it at once.
    static let reserveRequestTimeout: Duration = .seconds(1)
    /// The time-out for reading the response on a connection of the reserve.
    static let reserveAnswerTimeout: Duration = .seconds(5)

    /// Returns the client that a trusted proxy forwards, and replaces Host by the forwarded one; nil if the peer is not a
    /// trusted proxy.
    func forwarded(in fields: inout Fields) -> (client: IPAddress, isSecure: Bool)? {
        guard directClient == nil, let address else { return nil }
        // The last element is that of the nearest proxy.
        let host = fields.last(of: .xForwardedHost)
        if let host, host.utf8.span.withUnsafeBufferPointer(Authority.isWellFormed) { fields[.host] = String(host) }
        let scheme = fields.last(of: .xForwardedProto)?.lowercased()
        let names = fields.values(of: .xForwardedFor)
        return (server.configuration.proxies.client(behind: address, forwarded: names), scheme == "https")
    }

    /// Sets the deadline of the next request; a connection of the reserve has no next one.
    func awaitRequest() {
        if isReserve { return }
        hasBegun.store(false, ordering: .relaxed)
        deadline.store((Instant.coarse.nanoseconds + timeout) & ~1, ordering: .relaxed)
    }

    /// Notes that a request line has arrived, so that the connection is not idle.
    func requestBegan() { hasBegun.store(true, ordering: .relaxed) }

    /// Clears the deadline of a complete request; on a connection of the reserve, sets that of the response.
    func requestArrived() {
        let next = isReserve ? (Instant.coarse + Self.reserveAnswerTimeout).nanoseconds : .max
        deadline.store(next, ordering: .relaxed)
    }

    /// Whether the connection was shut down at its deadline, or for being read too slowly.
    var isExpired: Bool { expired.load(ordering: .relaxed) }

    /// Whether a request is complete and its response is not.
    var isResponding: Bool { deadline.load(ordering: .relaxed) == .max }

    /// Shuts the connection down if its deadline has passed, unless it is idle for less than the idle time-out.
    ///
    /// Called under the lock of `Connections` only; see there.
    func expire(at now: Instant) {
        let due = deadline.load(ordering: .relaxed)
        guard due < now.nanoseconds else { return }
        let next = nextDeadline(after: due, now)
        // Fails if the request has become complete in the meantime.
        guard deadline.compareExchange(expected: due, desired: next, ordering: .relaxed).exchanged else { return }
        if next == .max { end() }
    }

    /// Returns the next deadline of a connection whose deadline has passed; `.max` for none.
    ///
    /// The library does not report the bytes before the end of a request line, so the kernel is asked when the last ones
    /// arrived. On an idle connection a request may have begun at any time before the second deadline, and gets a deadline
    /// of its own.
    private func nextDeadline(after due: Int64, _ now: Instant) -> Int64 {
        let isRequest = hasBegun.load(ordering: .relaxed) && due & 1 == 0
        guard idleTimeout > timeout, !isRequest else { return .max }
        // The kernel counts in steps of up to 10 ms.
        let silence = microhttpd_silence(descriptor) * 1_000_000 + 10_000_000
        if due & 1 == 1 { return silence < idleTimeout ? (now.nanoseconds + timeout) & ~1 : .max }
        // While the response before was sent, the client was silent and the connection not idle.
        let idle = min(silence, now.nanoseconds - (due - timeout))
        return silence < timeout ? .max : (now.nanoseconds + max(0, idleTimeout - idle)) | 1
    }

    /// Shuts the connection down; called under the lock of `Connections` only.
    func end() {
        expired.store(true, ordering: .relaxed)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Has the kernel drop the connection if the peer takes nothing for the time-out of a request.
    ///
    /// Called before it is closed: bytes that the library has written are sent after that. TCP_USER_TIMEOUT is not for an open
    /// connection, because Linux takes a reader for stalled, too, as long as its window is smaller than one segment.
    func boundUnreadTime() {
        var milliseconds = Int32(clamping: max(1_000_000_000, timeout) / 1_000_000)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Has the library's worker read the remaining data and the end after the client has closed its side.
    ///
    /// Called under the lock of `Connections` only; see there. `SHUT_RD` discards no received data, and a response can
    /// still be sent; but it wakes every epoll set that the socket is in (Linux, `inet_shutdown`:
    /// "Wake up anyone sleeping in poll"), also the library's edge-triggered one.
    func endReading() {
        shutdown(descriptor, Int32(SHUT_RD))
    }

    /// Ends the reading of a connection on which no request is arriving: the library closes it, or responds to a request
    /// that has arrived completely meanwhile.
    ///
    /// Called under the lock of `Connections` only; see there.
    func endIfIdle() {
        let isSilent = microhttpd_silence(descriptor) >= Self.leastSilence.wholeNanoseconds / 1_000_000
        guard isSilent, !hasBegun.load(ordering: .relaxed) else { return }
        endedIdle.store(true, ordering: .relaxed)
        endReading()
    }

    /// Whether the service, and not the client, has ended the reading.
    var isEndedIdle: Bool { endedIdle.load(ordering: .relaxed) }

    /// The time without a byte after which no request line is arriving.
    static let leastSilence = Duration.milliseconds(100)
}

/// The library's connection.
///
/// `@unchecked Sendable`: other threads only call `resume`, which the manual allows ("It is safe to resume a suspended
/// connection at any time"). The pointer is valid while the connection is suspended, because the library neither times
/// out nor closes a suspended connection. The state machines resume only suspended ones.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Adds the fields after chunked content, which are in the same memory, to the size of the head; called on its worker only.
    func addTrailers(to size: inout HeadSize) {
        MHD_get_connection_values_n(
            pointer,
            MHD_ValueKind.FOOTER_KIND,
            { context, _, _, nameSize, _, valueSize in
                // The pointer is `size`, which outlives the call.
                let size = context?.assumingMemoryBound(to: HeadSize.self)
                size?.pointee.fields += 1
                // With the colon, a space and the line end.
                size?.pointee.whole += nameSize + valueSize + 4
                return .YES
            },
            &size
        )
    }

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

extension Fields {
    /// The last element of a list, which may have several fields; nil without one.
    fileprivate func last(of name: FieldName) -> Substring? {
        values(of: name).last?.utf8.split(separator: UInt8(ascii: ",")).last.map { Substring($0.trimmingBlanks()) }
    }
}
