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
