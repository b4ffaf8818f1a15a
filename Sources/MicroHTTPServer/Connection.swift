import CMicroHTTPD
import Glibc
import HTTPExchange
import Synchronization

/// One client's connection, from its acceptance to its close notification.
final class Connection: Sendable {
    /// Never used twice, unlike the descriptor.
    let number: UInt64
    /// The library's descriptor: valid until the close notification has returned.
    let descriptor: Int32
    /// The peer's address without its port; formatted once a connection.
    let peer: String
    /// What the connection counts against in the shares of clients; nil for a peer that is not limited.
    let client: ClientKey?
    /// Whether the connection is of the reserve: one request for an operation is answered, in short time.
    let isReserve: Bool
    /// Held strongly: a task that does not care that it is cancelled may outlive the server with its exchange.
    let engine: Engine

    /// When the request that is being received must be complete, in nanoseconds of `MonotonicTime`; `.max` while none
    /// is awaited.
    private let deadline: Atomic<UInt64>
    private let expired = Atomic(false)
    private let gone = Atomic(false)
    private let suspendedOnce = Atomic(false)
    /// The last request line's, unless it is long or refused; with what a router found for it.
    ///
    /// It is all that an idle connection holds of its past. `nonisolated(unsafe)`: the library calls all callbacks of a
    /// connection on one thread, and only they come here.
    nonisolated(unsafe) private var lastTarget: ReceivedTarget?

    init(
        number: UInt64,
        descriptor: Int32,
        peer: String,
        client: ClientKey? = nil,
        isReserve: Bool = false,
        engine: Engine
    ) {
        self.number = number
        self.descriptor = descriptor
        self.peer = peer
        self.client = client
        self.isReserve = isReserve
        self.engine = engine
        let limit = isReserve ? Self.reserveRequestTimeout : engine.configuration.requestTimeout
        deadline = Atomic((MonotonicTime.now + limit).nanoseconds)
    }

    /// How long a connection of the reserve may take to send its request: a health check sends it at once.
    static let reserveRequestTimeout: Duration = .seconds(1)
    /// How long it may take to read the answer.
    static let reserveAnswerTimeout: Duration = .seconds(5)

    /// Takes over the target of a request line; on the connection's worker only.
    func received(_ text: UnsafePointer<CChar>, count: Int) -> ReceivedTarget {
        if let lastTarget, lastTarget.isSpelled(by: text, count: count) { return lastTarget }
        let new = ReceivedTarget(text)
        lastTarget = new.special?.refusal != nil || count > ReceivedTarget.keptLength ? nil : new
        return new
    }

    /// Starts the clock for the next request; on a connection of the reserve there is none.
    func awaitRequest() {
        if isReserve { return }
        deadline.store((MonotonicTime.now + engine.configuration.requestTimeout).nanoseconds, ordering: .relaxed)
    }

    /// Stops the clock: the request is complete; on a connection of the reserve it goes on for the answer.
    func requestArrived() {
        let next = isReserve ? (MonotonicTime.now + Self.reserveAnswerTimeout).nanoseconds : .max
        deadline.store(next, ordering: .relaxed)
    }

    /// Whether the connection was shut down at its deadline.
    var isExpired: Bool { expired.load(ordering: .relaxed) }

    /// Whether the client has closed its half, as far as the watch has seen.
    var isGone: Bool { gone.load(ordering: .acquiring) }

    func markGone() {
        gone.store(true, ordering: .releasing)
    }

    /// Shuts the connection down if its deadline has passed.
    ///
    /// Under the lock of `Connections` only: see there.
    func expire(at now: MonotonicTime) {
        let due = deadline.load(ordering: .relaxed)
        // The exchange loses against a request that has become complete in the meantime.
        guard due < now.nanoseconds,
            deadline.compareExchange(expected: due, desired: .max, ordering: .relaxed).exchanged
        else { return }
        expired.store(true, ordering: .relaxed)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Tells the library's worker that the client has closed its half: it reads what has arrived and the end behind it.
    ///
    /// Under the lock of `Connections` only: see there. `SHUT_RD` takes nothing away that has been received, and an
    /// answer can still be sent; but it wakes every epoll set that the socket is in (Linux, `inet_shutdown`:
    /// "Wake up anyone sleeping in poll"), also the library's edge-triggered one.
    func endReading() {
        markGone()
        shutdown(descriptor, Int32(SHUT_RD))
    }

    /// Begins to watch for the client's leaving; at the start, on the worker.
    func watch() {
        engine.watch.add(self)
    }

    /// Has the lookout notice at once when the client leaves; once a connection, on its worker.
    func watchSuspended() {
        if !suspendedOnce.exchange(true, ordering: .relaxed) { engine.watch.addSuspended(self) }
    }

    /// Ends the watch, on the worker, before the library closes the descriptor.
    func unwatch() {
        engine.watch.remove(self, wasSuspended: suspendedOnce.load(ordering: .relaxed))
    }
}
