import Primitives
import Synchronization

/// The table of open connections, by number; shuts down those that miss their deadline.
///
/// The library's own time-out is for inactivity: a client that sends a byte now and then keeps its connection, and before
/// the end of the request line no callback is called at all. So every connection has a deadline from its start on, and
/// one that misses it is shut down. The worker then reads an end of file and continues as for a client that has left.
///
/// `shutdown(2)` is called under the lock, as an exception to the rule that no C call is made under one. The close
/// notification takes the same lock before the library closes the descriptor, so the descriptor still belongs to this
/// connection and not to a newer one of the same number. The call does not block and has no callback. The sweep for
/// clients that have left calls it in the same way.
final class Connections: Sendable {
    private let table = Lock<[UInt64: Connection]>([:])
    private let next = Atomic<UInt64>(1)

    /// Returns a number that no other connection has had.
    func makeNumber() -> UInt64 {
        next.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    func add(_ connection: Connection) {
        table.withLock { $0[connection.number] = connection }
    }

    func remove(_ connection: Connection) {
        _ = table.withLock { $0.removeValue(forKey: connection.number) }
    }

    func connection(_ number: UInt64) -> Connection? {
        table.withLock { $0[number] }
    }

    /// Reports clients that have closed their side to the library; skips connections that were closed meanwhile.
    ///
    /// Repeated at each sweep until the connection is closed, because a single report can be lost: if the worker has not
    /// started to read, two events become one, and the end is missed again.
    func endReading(_ numbers: [UInt64]) {
        if numbers.isEmpty { return }
        table.withLock { table in
            for number in numbers { table[number]?.endReading() }
        }
    }

    /// Shuts down every connection whose request is not complete at its deadline.
    func expire(at now: Instant) {
        table.withLock { table in
            for connection in table.values { connection.expire(at: now) }
        }
    }
}
