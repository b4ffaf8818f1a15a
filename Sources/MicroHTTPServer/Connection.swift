import CMicroHTTPD
import Glibc
import Synchronization

/// One client's connection, from its acceptance to its close notification.
final class Connection: Sendable {
    /// Never used twice, unlike the descriptor.
    let number: UInt64
    /// The library's descriptor: valid until the close notification has returned.
    let descriptor: Int32
    /// The peer's address without its port; formatted once a connection.
    let peer: String
    /// Held strongly: a task that does not care that it is cancelled may outlive the server with its exchange.
    let engine: Engine

    /// When the request that is being received must be complete, in nanoseconds of `MonotonicTime`; `.max` while none
    /// is awaited.
    private let deadline: Atomic<UInt64>
    private let expired = Atomic(false)
    private let gone = Atomic(false)
    private let watched = Atomic(false)
    /// The last request line's, unless it is long or refused; with what a router found for it.
    ///
    /// It is all that an idle connection holds of its past. `nonisolated(unsafe)`: the library calls all callbacks of a
    /// connection on one thread, and only they come here.
    nonisolated(unsafe) private var lastTarget: ReceivedTarget?

    init(number: UInt64, descriptor: Int32, peer: String, engine: Engine) {
        self.number = number
        self.descriptor = descriptor
        self.peer = peer
        self.engine = engine
        deadline = Atomic((MonotonicTime.now + engine.configuration.requestTimeout).nanoseconds)
    }

    /// Takes over the target of a request line; on the connection's worker only.
    func received(_ text: UnsafePointer<CChar>, count: Int) -> ReceivedTarget {
        if let lastTarget, lastTarget.isSpelled(by: text, count: count) { return lastTarget }
        let new = ReceivedTarget(text)
        lastTarget = new.hasControl || count > ReceivedTarget.keptLength ? nil : new
        return new
    }

    /// Starts the clock for the next request.
    func awaitRequest() {
        deadline.store((MonotonicTime.now + engine.configuration.requestTimeout).nanoseconds, ordering: .relaxed)
    }

    /// Stops the clock: the request is complete.
    func requestArrived() {
        deadline.store(.max, ordering: .relaxed)
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

    /// Has the lookout notice when the client leaves; once a connection, on its worker.
    func watch() {
        if !watched.exchange(true, ordering: .relaxed) { engine.watch.add(self) }
    }

    /// Ends the watch, on the worker, before the library closes the descriptor.
    func unwatch() {
        if watched.load(ordering: .relaxed) { engine.watch.remove(self) }
    }
}
