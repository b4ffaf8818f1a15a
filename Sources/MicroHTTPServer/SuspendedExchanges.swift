import Primitives
import Synchronization

/// An exchange whose connection may be suspended: a promised response or an open stream.
///
/// Streams have no deadline; promised responses have no heartbeat, and a drain waits for them.
protocol SuspendableExchange: AnyObject, Sendable {
    /// Handles a client that has closed its side of the connection, or a broken connection.
    func clientLeft()
    /// Checks the deadline of a promised response; called several times a second.
    func tick(_ now: Instant)
    /// Asks a stream for a heartbeat.
    func heartbeat()
    /// Asks a stream to send its last event and end.
    func drain()
    /// Ends the exchange at the deadline of the drain.
    func stop()
}

extension SuspendableExchange {
    func tick(_ now: Instant) {}
    func heartbeat() {}
    func drain() {}
    func stop() { clientLeft() }
}

/// The table of promised responses and open streams.
///
/// "It is an API violation to call MHD_stop_daemon while having suspended connections": the process aborts. So a
/// connection is suspended only while its exchange is in this table, and the table is closed before the daemon stops. A
/// closed table refuses new exchanges, which then do not suspend, and stops those in it, which then resume. A thread may
/// have decided to resume a connection without having done so yet: it is counted in `resuming` from its decision on, and
/// the drain waits until that count is 0.
final class SuspendedExchanges: Sendable {
    private struct Table {
        var isClosed = false
        var isDraining = false
        var exchanges: [UInt64: any SuspendableExchange] = [:]
    }

    private let table = Lock(Table())
    /// Threads between the decision to resume a connection and the end of the call that does it.
    private let resuming = Atomic(0)
    /// The number of promised responses with running work.
    let running = Atomic(0)

    /// Whether no thread is about to resume a connection.
    var isSettled: Bool { resuming.load(ordering: .sequentiallyConsistent) == 0 }

    /// Adds an exchange under its connection's number, in place of an earlier one; false when the table is closed.
    func add(_ exchange: any SuspendableExchange, connection: UInt64) -> Bool {
        let (isOpen, isDraining) = table.withLock { table in
            if !table.isClosed { table.exchanges[connection] = exchange }
            return (!table.isClosed, table.isDraining)
        }
        if isOpen && isDraining { exchange.drain() }
        return isOpen
    }

    /// Removes the exchange of a connection.
    func remove(connection: UInt64) {
        // Released outside of the lock: its deinitialiser may run code of the application.
        _ = table.withLock { $0.exchanges.removeValue(forKey: connection) }
    }

    /// Returns the exchange of a connection.
    func exchange(connection: UInt64) -> (any SuspendableExchange)? {
        table.withLock { $0.exchanges[connection] }
    }

    /// All exchanges in the table.
    var all: [any SuspendableExchange] { table.withLock { Array($0.exchanges.values) } }

    /// Asks every stream to end, also those that are added later.
    func drain() {
        let exchanges = table.withLock { table in
            table.isDraining = true
            return table.exchanges.values
        }
        for exchange in exchanges { exchange.drain() }
    }

    /// Refuses new exchanges and stops all others.
    func close() {
        table.withLock { $0.isClosed = true }
        for exchange in all { exchange.stop() }
    }

    // MARK: Resuming

    /// Counts a connection that is about to be resumed; called under the lock under which that is decided.
    func willResume() {
        resuming.add(1, ordering: .acquiringAndReleasing)
    }

    /// Resumes a connection after `willResume`.
    func resume(_ connection: ConnectionHandle) {
        connection.resume()
        resuming.subtract(1, ordering: .sequentiallyConsistent)
    }
}
