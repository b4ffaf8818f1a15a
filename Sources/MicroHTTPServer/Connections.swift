import Synchronization

/// All open connections, by number; who expires them.
///
/// The library's own time-out is for inactivity: "a header every half second" keeps a connection for ever, and before
/// the end of the request line no callback of a request is called at all. So every connection has a deadline from its
/// start on, and one that misses it is shut down from outside. The worker then reads an end of file and does the rest
/// as for any client that has left.
///
/// `shutdown(2)` is called under the lock, against the house rule that no C call is made under one: the close
/// notification takes the same lock before the library closes the descriptor, and that is what proves that the
/// descriptor is still this connection's and not that of another, opened since under the same number. The call does not
/// block and calls nobody back. The sweep for clients that have gone calls it in the same way.
final class Connections: Sendable {
    private let table = Mutex<[UInt64: Connection]>([:])
    private let next = Atomic<UInt64>(1)

    /// A number that no connection had before.
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

    /// Tells the library of the clients that have closed their half; those of connections closed meanwhile are skipped.
    ///
    /// It is told again at each sweep until the connection is closed. Once would not be enough: if the worker has not
    /// begun to read, the two events are one, and the end is missed as before.
    func endReading(_ numbers: [UInt64]) {
        if numbers.isEmpty { return }
        table.withLock { table in
            for number in numbers { table[number]?.endReading() }
        }
    }

    /// Shuts down every connection whose request is not complete at its deadline.
    func expire(at now: MonotonicTime) {
        table.withLock { table in
            for connection in table.values { connection.expire(at: now) }
        }
    }
}
