import CMicroHTTPD
import Glibc

/// Notices that a client has left while its connection is suspended.
///
/// "While a connection is suspended, MHD will not detect disconnects by the client." So the descriptors of connections
/// that were ever suspended are also in an epoll set of ours, for EPOLLRDHUP alone, edge triggered: data that arrives
/// wakes nobody here, a closed half or a broken connection does, once. A half-close counts as gone: the client of a
/// promised answer has no reason for one.
///
/// Events carry the connection's number, not its address or descriptor, so that one that was fetched just before its
/// connection was closed finds nothing.
struct DisconnectWatch: Sendable {
    /// The lookout's epoll set; open for as long as the lookout lives, which is longer than any connection.
    let epoll: Int32

    /// Begins to watch.
    ///
    /// The descriptor is the library's and open: this is called on the connection's worker.
    func add(_ connection: Connection) {
        var event = epoll_event(
            events: EPOLLRDHUP.rawValue | EPOLLET.rawValue,
            data: epoll_data_t(u64: connection.number)
        )
        epoll_ctl(epoll, EPOLL_CTL_ADD, connection.descriptor, &event)
    }

    /// Ends the watch, before the descriptor is closed.
    func remove(_ connection: Connection) {
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, connection.descriptor, &event)
    }
}
