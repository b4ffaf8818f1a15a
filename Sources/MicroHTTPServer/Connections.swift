import CMicroHTTPD
import Network
import Primitives
import Synchronization

/// The table of open connections, by number; shuts down those that miss their deadline, and detects clients that left.
///
/// The library's own time-out is for inactivity: a client that sends a byte now and then keeps its connection, and before
/// the end of the request line no callback is called at all. So every connection has a deadline from its start on, and
/// one that misses it is shut down. The worker then reads an end of file and continues as for a client that has left.
///
/// The library misses an end of file that arrives together with data: its epoll set is edge triggered, a short read
/// counts as "nothing left" (libmicrohttpd 0.9.75, `recv_param_adapter`), and the end after the data is no new event. And
/// "while a connection is suspended, MHD will not detect disconnects by the client." So every connection is in a second
/// set, level triggered and for EPOLLRDHUP alone, which is read several times a second. Arriving data causes no event.
///
/// `shutdown(2)` is called under the lock, as an exception to the rule that no C call is made under one. The close
/// notification takes the same lock before the library closes the descriptor, so the descriptor still belongs to this
/// connection and not to a newer one of the same number. The call does not block and has no callback.
final class Connections: Sendable {
    private let table = Lock<[UInt64: Connection]>([:])
    private let next = Atomic<UInt64>(1)
    private let polled: PollSet
    /// The bytes that readers had taken at the last check, and the time since which they have, by connection.
    private let acknowledged = Lock<[UInt64: (bytes: UInt64, since: Instant)]>([:])
    /// Whether the kernel counts the bytes that readers take, as a connection has shown: 0 is then no byte, and not unknown.
    private let areCounted = Atomic(false)
    /// The time after which a reader that takes nothing is ended.
    private let readTimeout: Duration

    init(readTimeout: Duration) throws(ServerError) {
        self.readTimeout = readTimeout
        guard let polled = PollSet() else { throw .cannotStart(reason: "no descriptor left for the connections") }
        self.polled = polled
    }

    /// Returns a number that no other connection has had.
    func makeNumber() -> UInt64 {
        next.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Adds a connection at its start; called on its worker, where the library's descriptor is open.
    func add(_ connection: Connection) {
        table.withLock { $0[connection.number] = connection }
        polled.add(connection.descriptor, id: connection.number, .hangUp)
    }

    /// Removes a connection; called on its worker, before the library closes the descriptor.
    func remove(_ connection: Connection) {
        // A duplicated descriptor (`LingeringClose`) would stay in the set after the library has closed its own.
        polled.remove(connection.descriptor)
        connection.boundUnreadTime()
        if !areCounted.load(ordering: .relaxed), microhttpd_acknowledged(connection.descriptor) > 0 {
            areCounted.store(true, ordering: .relaxed)
        }
        _ = table.withLock { $0.removeValue(forKey: connection.number) }
    }

    /// Reports clients that have closed their side, or broken the connection off, to the library; at most 1024 at a time.
    ///
    /// The library reads the remaining data and the end: a request that is complete is answered. The report is repeated
    /// until the connection is closed, because it can be lost: if the worker has not started to read, two events become
    /// one, and the end is missed again.
    ///
    /// - Returns: the numbers of their connections.
    func endReading() -> [UInt64] {
        let numbers = polled.events(limit: 1024).map(\.id)
        if numbers.isEmpty { return [] }
        return table.withLock { table in
            for number in numbers { table[number]?.endReading() }
            return numbers.filter { table[$0]?.isEndedIdle != true }
        }
    }

    /// Has the library close the connections on which nothing has arrived for a moment; called during a drain.
    func endIdle() {
        table.withLock { table in
            for connection in table.values { connection.endIfIdle() }
        }
    }

    /// Shuts down connections of which the response is not read, or is read slowly while others lack its memory.
    ///
    /// Called every ``checkInterval``. A response takes memory until it has been read, so a few slow readers could have all
    /// requests refused, or those of a client its own.
    func endStalledReaders(at now: Instant, lacking: MemoryBudget.Lacking) {
        table.withLock { table in
            let former = acknowledged.withLock { $0 }
            var current: [UInt64: (bytes: UInt64, since: Instant)] = [:]
            for (number, connection) in table where microhttpd_unread(connection.descriptor) > 0 {
                let bytes = microhttpd_acknowledged(connection.descriptor)
                guard bytes > 0 || areCounted.load(ordering: .relaxed) else { continue }
                guard let before = former[number], before.bytes <= bytes else {
                    current[number] = (bytes, now)
                    continue
                }
                let since = before.bytes == bytes ? before.since : now
                current[number] = (bytes, since)
                let payer = connection.payer.withLock { $0 }
                let isLacking = lacking.isEveryone || payer.map(lacking.clients.contains) ?? false
                let isSlow = connection.isResponding && bytes - before.bytes < Self.leastRate
                if isLacking && isSlow || since + readTimeout < now { connection.end() }
            }
            acknowledged.withLock { $0 = current }
        }
    }

    /// The time between two checks of readers.
    static let checkInterval: Duration = .seconds(2)
    /// The bytes that a reader takes in that time at least: 32 KiB a second.
    private static let leastRate: UInt64 = 64 << 10

    /// Shuts down every connection whose request is not complete at its deadline.
    func expire(at now: Instant) {
        table.withLock { table in
            for connection in table.values { connection.expire(at: now) }
        }
    }
}
