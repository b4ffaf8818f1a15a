import CMicroHTTPD
import Glibc

/// Wakes the library's workers, which may sleep although they have taken work.
///
/// A worker fetches up to 128 events at a time, and fetches again as long as it gets 128, since there may be more. The
/// second fetch has the time-out of the first (libmicrohttpd 0.9.75, `MHD_epoll`). So when exactly 128 or 256
/// connections become ready at once, the worker waits for one more event before it serves them, until the first of them
/// times out. After a pause of the process, such as a container's CPU quota causes, one client with 128 busy connections
/// is enough.
///
/// The library has no call that wakes a worker, but a new connection wakes it. So every worker gets a connection that is
/// closed at its other end: at every tick while there are enough connections, and after a stream has ended early
/// (`StreamBridge`).
/// It costs some 20 µs of CPU each time.
struct WorkerWakeUp {
    /// The fewest connections that can cause 128 events of a worker; its own interrupt is one more.
    static let leastConnections = 127

    let daemon: Daemon

    /// Returns whether a connection was added by this type: only these have the family AF_UNIX.
    static func isOne(_ peer: UnsafePointer<sockaddr>?) -> Bool {
        peer?.pointee.sa_family == sa_family_t(AF_UNIX)
    }

    /// Wakes every worker; does nothing if no descriptor is left, since every worker is busy then.
    func wakeAll() {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return }
        close(pair[1])
        for worker in 0..<daemon.threads { wake(worker, with: pair[0]) }
        close(pair[0])
    }

    /// Adds a copy of the descriptor to a worker.
    ///
    /// "We use the socket as the initial offset into the pool for load balancing" (`MHD_add_connection`): its number
    /// selects the worker.
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
            // The library manages and closes the descriptor from here on, whatever the call returns.
            _ = MHD_add_connection(daemon.pointer, copy, &address, socklen_t(MemoryLayout<sa_family_t>.size))
            return
        }
    }
}
