import CMicroHTTPD
import Glibc
import Logging
import Synchronization

/// Takes connections from a listener and hands them to the library.
struct Acceptor {
    let listener: Listener
    let daemon: Daemon
    let engine: Engine

    /// What is to be done about the listener next.
    enum Rest {
        /// Ask again when there is somebody.
        case ready
        /// The system has no descriptor left: asking at once would spin.
        case exhausted
    }

    /// Takes everybody who is there, up to a number that leaves the lookout time for its other work.
    func acceptSome() -> Rest {
        for _ in 0..<64 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let rest: Rest? = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept($0, &length) }
            }
            if let rest { return rest }
        }
        return .ready
    }

    /// Takes one; nil when there may be more.
    private func accept(_ address: UnsafeMutablePointer<sockaddr>, _ length: inout socklen_t) -> Rest? {
        let descriptor = accept4(
            listener.descriptor,
            address,
            &length,
            Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        )
        guard descriptor >= 0 else {
            switch errno {
            case EINTR, ECONNABORTED: return nil
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                engine.logger.warning("no descriptor left for another connection")
                return .exhausted
            default: return .ready
            }
        }
        // Other parts of the process cannot wait for a descriptor: libdispatch ends the process when it has none to look
        // at its threads with (`_dispatch_workq_monitor_pools`).
        guard DescriptorLimit.leavesSpare(above: descriptor) else {
            engine.counters.count(ConnectionLimits.Rejection.limit)
            close(descriptor)
            return nil
        }
        // Counted here, taken back by the close notification: the library starts a connection on its worker, later, and
        // a burst would pass a limit that counts only those.
        let client = engine.client(at: address)
        let admission = engine.limits.admit(client)
        if case .rejected(let reason) = admission {
            engine.counters.count(reason)
            close(descriptor)
            return nil
        }
        limitUnsentData(of: descriptor)
        engine.counters.acceptedConnections.add(1, ordering: .relaxed)
        if admission == .reserve { engine.reserved.add(descriptor) }
        // "The given client socket will be managed (and closed!) by MHD after this call", whatever it returns.
        if MHD_add_connection(daemon.pointer, descriptor, address, length) != .YES {
            engine.limits.leave(client, isReserve: admission == .reserve)
            _ = engine.reserved.remove(descriptor)
            engine.logger.warning("the library did not take a connection")
        }
        return nil
    }

    /// Bounds the memory of the kernel for a client that does not read.
    ///
    /// The send buffer would grow up to 4 MB (tcp(7), tcp_wmem), in no budget of ours, and outlive the connection: what the
    /// library has written is sent after the close. The kernel doubles the size that is set (socket(7), SO_SNDBUF).
    /// With TCP_USER_TIMEOUT it drops a connection, a closed one too, whose peer takes no data for the idle time-out.
    private func limitUnsentData(of descriptor: Int32) {
        var size = Self.sendBufferSize
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        let (seconds, _) = engine.configuration.idleTimeout.components
        var timeout = UInt32(clamping: max(1, seconds)) &* 1000
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &timeout, socklen_t(MemoryLayout<UInt32>.size))
    }

    /// Bytes; images of usual sizes fit into the doubled buffer at once.
    private static let sendBufferSize: Int32 = 128 << 10
}
