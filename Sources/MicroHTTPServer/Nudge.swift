import CMicroHTTPD
import Glibc

/// Wakes the library's workers, who may be asleep over work that they have taken.
///
/// A worker takes what is ready 128 events at a time, and asks again as long as it gets 128, since there may be more.
/// But it asks again with the waiting time of the first question (libmicrohttpd 0.9.75, `MHD_epoll`): when exactly 128
/// connections become ready at once, or 256, it waits for one more event with all of them in its hands, until the
/// first of them times out. After a pause of the process, as a container's quota makes them, a client of 128 busy
/// connections is enough.
///
/// The library has no call that wakes a worker, but a new connection does. So this adds one whose other end is closed
/// already, to every worker, a few times a second while there are enough connections for it to matter: nobody waits
/// longer than a tick. It costs some 20 µs of CPU each time.
struct Nudge {
    /// The fewest connections that can bring a worker 128 events: its own bell is the other one.
    static let leastConnections = 127

    private let daemon: Daemon

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    /// Whether a connection is one of these: they are the only ones of this family.
    static func isOne(_ peer: UnsafePointer<sockaddr>?) -> Bool {
        peer?.pointee.sa_family == sa_family_t(AF_UNIX)
    }

    /// Wakes every worker; without a descriptor left it does nothing, since every worker has enough to do then.
    func wakeAll() {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return }
        close(pair[1])
        for worker in 0..<daemon.threads { wake(worker, with: pair[0]) }
        close(pair[0])
    }

    /// Gives a worker a copy of the descriptor.
    ///
    /// "We use the socket as the initial offset into the pool for load balancing" (`MHD_add_connection`): its number
    /// decides whose it is.
    private func wake(_ worker: Int, with socket: Int32) {
        var lowest: Int32 = 0
        while true {
            let copy = fcntl(socket, F_DUPFD_CLOEXEC, lowest)
            guard copy >= 0 else { return }
            guard Int(copy) % daemon.threads == worker else {
                close(copy)
                lowest = copy + 1
                continue
            }
            var address = sockaddr()
            address.sa_family = sa_family_t(AF_UNIX)
            // Managed and closed by the library from here on, whatever it returns.
            _ = MHD_add_connection(daemon.pointer, copy, &address, socklen_t(MemoryLayout<sa_family_t>.size))
            return
        }
    }
}
