import Primitives

/// Detects that a client has left, in every state of its connection.
///
/// The library misses an end of file that arrives together with data: its epoll set is edge triggered, a short read
/// counts as "nothing left" (libmicrohttpd 0.9.75, `recv_param_adapter`), and the end after the data is no new event. And
/// "while a connection is suspended, MHD will not detect disconnects by the client." So the server has two epoll sets of
/// its own, both for EPOLLRDHUP alone: arriving data causes no event in them.
///
/// | set | contains | read |
/// |---|---|---|
/// | `sweep` | every connection, from its start; level triggered | several times a second: `ended()` |
/// | `descriptors` | every connection that was ever suspended; edge triggered | at once, by the event loop |
///
/// The sweep costs a call at the start of a connection and one at its end, and nothing for a request. The connections
/// that it finds are reported to the library (`Connections.endReading`), which then reads the remaining data and the end,
/// and closes. A complete request that a client sent before it closed its side is answered. A client that closes its
/// side while its connection is suspended counts as gone.
///
/// Events carry the connection's number and not its descriptor, so that an event of a connection that has just been
/// closed finds no other connection.
struct DisconnectMonitor: Sendable {
    /// The event loop's set.
    let descriptors: PollSet
    /// The set of all connections.
    let sweep: PollSet

    /// Adds a connection at its start; called on its worker, where the library's descriptor is open.
    func add(_ connection: Connection) {
        sweep.add(connection.descriptor, mark: connection.number, .hangUp)
    }

    /// Has the event loop detect at once when the client leaves; called on the connection's worker.
    func addSuspended(_ connection: Connection) {
        descriptors.add(connection.descriptor, mark: connection.number, [.hangUp, .once])
    }

    /// Removes a connection before its descriptor is closed.
    func remove(_ connection: Connection, wasSuspended: Bool) {
        // A duplicated descriptor (`LingeringClose`) would stay in the set after the library has closed its own.
        sweep.remove(connection.descriptor)
        if wasSuspended { descriptors.remove(connection.descriptor) }
    }

    /// Returns the numbers of connections whose client has closed its side or broken the connection off: at most 1024,
    /// the others next time.
    ///
    /// Called on the event loop's thread.
    func ended() -> [UInt64] {
        sweep.events(limit: 1024).map(\.mark)
    }
}
