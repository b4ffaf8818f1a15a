import CMicroHTTPD
import Glibc

/// Notices that a client has left, in every state of its connection.
///
/// The library misses an end that arrives together with data: its epoll set is edge triggered, a read that returns less
/// than was asked for counts as "nothing left" (libmicrohttpd 0.9.75, `recv_param_adapter`), and the end that stands
/// behind the data is no new event. And "while a connection is suspended, MHD will not detect disconnects by the client."
/// So there are two epoll sets of ours, both for EPOLLRDHUP alone: data that arrives wakes nothing here.
///
/// | set | has | looked at |
/// |---|---|---|
/// | `sweep` | every connection, from its start; level triggered | several times a second: `ended()` |
/// | `epoll` | every connection that was ever suspended; edge triggered | at once, by the lookout |
///
/// The sweep costs a call at the start of a connection and one at its end, and nothing for a request. What it finds is
/// told to the library (`Connections.endReading`), which then reads what has arrived and the end behind it, and closes;
/// a whole request that a client sent before it closed its half is answered. A client whose connection is suspended
/// counts as gone with its half-close: it has no reason for one.
///
/// Events carry the connection's number, not its address or descriptor, so that one that was fetched just before its
/// connection was closed finds nothing.
struct DisconnectWatch: Sendable {
    /// The lookout's epoll set; open for as long as the lookout lives, which is longer than any connection.
    let epoll: Int32
    /// The set of all connections; open as long.
    let sweep: Int32

    /// Begins to watch a connection at its start.
    ///
    /// The descriptor is the library's and open: this is called on the connection's worker.
    func add(_ connection: Connection) {
        var event = epoll_event(events: EPOLLRDHUP.rawValue, data: epoll_data_t(u64: connection.number))
        epoll_ctl(sweep, EPOLL_CTL_ADD, connection.descriptor, &event)
    }

    /// Has the lookout notice at once when the client leaves; on the connection's worker.
    func addSuspended(_ connection: Connection) {
        var event = epoll_event(
            events: EPOLLRDHUP.rawValue | EPOLLET.rawValue,
            data: epoll_data_t(u64: connection.number)
        )
        epoll_ctl(epoll, EPOLL_CTL_ADD, connection.descriptor, &event)
    }

    /// Ends the watch, before the descriptor is closed.
    func remove(_ connection: Connection, wasSuspended: Bool) {
        var event = epoll_event()
        // A descriptor that was duplicated (`LingeringClose`) would stay in the set after the library has closed its own.
        epoll_ctl(sweep, EPOLL_CTL_DEL, connection.descriptor, &event)
        if wasSuspended { epoll_ctl(epoll, EPOLL_CTL_DEL, connection.descriptor, &event) }
    }

    /// The numbers of the open connections whose client has closed its half, or broken the connection off; of at most
    /// 1024 of them, the others next time.
    ///
    /// On the lookout's thread.
    func ended() -> [UInt64] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 1024) { events in
            let count = epoll_wait(sweep, events.baseAddress, Int32(events.count), 0)
            return events.prefix(Int(max(0, count))).map(\.data.u64)
        }
    }
}
