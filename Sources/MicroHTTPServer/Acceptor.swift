import CMicroHTTPD
import Glibc
import Logging
import Network
import Primitives
import Synchronization

/// Accepts connections from a listener and passes them to the library.
struct Acceptor {
    let listener: Listener
    let daemon: Daemon
    let server: ServerContext

    /// Accepts the waiting connections, up to a number that leaves the event loop time for its other work.
    ///
    /// - Returns: false if the system has no descriptor left: accepting again at once would spin.
    func acceptSome() -> Bool {
        for _ in 0..<64 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let result: Bool? = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept($0, &length) }
            }
            if let result { return result }
        }
        return true
    }

    /// Accepts one connection; nil if there may be more, else the result of the round.
    private func accept(_ address: UnsafeMutablePointer<sockaddr>, _ length: inout socklen_t) -> Bool? {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = accept4(listener.descriptor, address, &length, flags)
        guard descriptor >= 0 else {
            switch errno {
            case EINTR, ECONNABORTED: return nil
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                server.logger.warning("no descriptor left for another connection")
                return false
            default: return true
            }
        }
        // Counted here and uncounted by the close notification. The library starts a connection later, on its worker, and
        // a burst would exceed a limit that counts only started ones.
        let client = server.limitedClient(at: IPAddress(address))
        // Other parts of the process cannot wait for a descriptor: libdispatch ends the process when it has none to look
        // at its threads with (`_dispatch_workq_monitor_pools`).
        let hasSpare = DescriptorLimit.leavesSpare(above: descriptor)
        let admission = hasSpare ? server.limits.admit(client) : .overLimit
        switch admission {
        case .ordinary, .reserve: break
        case .overLimit, .overShare:
            if admission == .overLimit { server.counters.rejectedForLimit.add(1, ordering: .relaxed) }
            if admission == .overShare { server.counters.rejectedForShare.add(1, ordering: .relaxed) }
            close(descriptor)
            return nil
        }
        server.counters.acceptedConnections.add(1, ordering: .relaxed)
        if admission == .reserve { server.reserved.withLock { _ = $0.insert(descriptor) } }
        // "The given client socket will be managed (and closed!) by MHD after this call", whatever it returns.
        if MHD_add_connection(daemon.pointer, descriptor, address, length) != .YES {
            server.limits.leave(client, isReserve: admission == .reserve)
            server.reserved.withLock { _ = $0.remove(descriptor) }
            server.logger.warning("the library refused a connection")
        }
        return nil
    }
}

/// The limit on open descriptors of the process (getrlimit(2), RLIMIT_NOFILE).
///
/// The soft limit is 1024 on many systems, for programs that use select(2), which neither the service nor the library
/// does. The administrator sets the hard limit.
package enum DescriptorLimit {
    /// The fewest descriptors with which the service can answer: about 35 are its own, and `spare` are left free.
    package static let minimum = 64
    private static let spare = 16
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// The most descriptors that the process may open now.
    static var current: Int {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
    }

    /// Raises the soft limit to the hard one and returns the result.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return current
    }

    /// Returns how many of the wanted connections the descriptors allow; at least one.
    ///
    /// A connection needs one descriptor. Others are reserved for epoll sets and connections to the upstream.
    package static func connections(wanted: Int, descriptors: Int) -> Int {
        max(1, min(wanted, descriptors - 128))
    }

    /// Returns whether enough descriptors above this one remain for the rest of the process.
    ///
    /// The system allocates the lowest free number, so a high one means that few are left. The limit is read each time,
    /// since prlimit(2) can lower it from outside.
    package static func leavesSpare(above descriptor: Int32) -> Bool {
        let descriptors = current
        return Int(descriptor) < descriptors - min(spare, descriptors / 4)
    }
}
