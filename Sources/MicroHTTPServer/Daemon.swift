import CMicroHTTPD
import Glibc
import Primitives

/// The library's daemon: a pool of workers without a listening socket.
///
/// `@unchecked Sendable`: the pointer is given to `MHD_add_connection`, which the library locks by itself, and to
/// `MHD_stop_daemon`, once, after the event loop that adds connections has ended.
struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
    /// How many workers there are.
    let threads: Int
    private let server: Unmanaged<ServerContext>
    private let log: LibraryLog

    /// Starts the workers.
    ///
    /// - `MHD_USE_EPOLL_INTERNAL_THREAD`: the library polls, on threads of its own.
    /// - `MHD_ALLOW_SUSPEND_RESUME`: brings the inter-thread channel that adding and resuming need.
    /// - `MHD_USE_NO_LISTEN_SOCKET`: see `Listener`.
    /// - `MHD_USE_ERROR_LOG`: without it the log callback is never called.
    init(server: ServerContext) throws(ServerError) {
        let configuration = server.configuration
        threads = max(1, configuration.threads ?? min(Daemon.coreCount, configuration.maxThreads))
        log = LibraryLog(logger: server.logger)
        self.server = Unmanaged.passRetained(server)

        var options = microhttpd_options()
        options.context = self.server.toOpaque()
        options.answer = Callbacks.answer
        options.request_line = Callbacks.requestLine
        options.completed = Callbacks.completed
        options.connection_changed = Callbacks.connectionChanged
        options.log = log.pointer
        options.threads = UInt32(clamping: threads)
        options.idle_seconds = UInt32(clamping: configuration.idleTimeout.wholeSecondsRoundedUp)
        options.connection_memory = HeadSize.memory(limit: configuration.maxHeadBytes)
        let flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ERROR_LOG.rawValue
        guard let daemon = microhttpd_start(flags, &options) else {
            self.server.release()
            throw .cannotStart(reason: "libmicrohttpd did not start its workers")
        }
        pointer = daemon
    }

    /// Ends every connection and waits for the workers; once.
    ///
    /// No connection may be suspended. Blocks.
    func stop() {
        MHD_stop_daemon(pointer)
        server.release()
    }

    /// The number of cores that `taskset` and a container's cpuset allow; at least one.
    ///
    /// A container's CPU quota is not considered, because threads above it are harmless.
    private static var coreCount: Int {
        var set = cpu_set_t()
        guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 else { return 1 }
        return withUnsafeBytes(of: set) { bytes in max(1, bytes.reduce(0) { $0 + $1.nonzeroBitCount }) }
    }
}

// The library's workers may sleep although they have taken work.
//
// A worker fetches up to 128 events at a time, and fetches again as long as it gets 128, since there may be more. The
// second fetch has the time-out of the first (libmicrohttpd 0.9.75, `MHD_epoll`). So when exactly 128 or 256
// connections become ready at once, the worker waits for one more event before it serves them, until the first of them
// times out. After a pause of the process, such as a container's CPU quota causes, one client with 128 busy connections
// is enough.
//
// The library has no call that wakes a worker, but a new connection wakes it. So every worker gets a connection that is
// closed at its other end: at every tick while there are enough connections, and after a stream has ended early
// (`StreamBridge`). It costs some 20 µs of CPU each time.
extension Daemon {
    /// The fewest connections that can cause 128 events of a worker; its own interrupt is one more.
    static let leastConnectionsToWake = 127

    /// Returns whether a connection was added by `wakeWorkers`: only these have the family AF_UNIX.
    static func isWakeUp(_ peer: UnsafePointer<sockaddr>?) -> Bool {
        peer?.pointee.sa_family == sa_family_t(AF_UNIX)
    }

    /// Wakes every worker; does nothing if no descriptor is left, since every worker is busy then.
    func wakeWorkers() {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return }
        close(pair[1])
        for worker in 0..<threads { wake(worker, with: pair[0]) }
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
            guard Int(copy) % threads == worker else {
                close(copy)
                lowest = copy + 1
                continue
            }
            var address = sockaddr()
            address.sa_family = sa_family_t(AF_UNIX)
            // The library manages and closes the descriptor from here on, whatever the call returns.
            _ = MHD_add_connection(pointer, copy, &address, socklen_t(MemoryLayout<sa_family_t>.size))
            return
        }
    }
}
