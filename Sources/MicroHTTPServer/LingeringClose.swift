import CMicroHTTPD
import Glibc
import Synchronization

/// Lets a client that is still sending read why it was refused.
///
/// After an answer on the first call the library closes its descriptor, whatever the client has sent in the meantime.
/// The kernel answers bytes that nobody will read with a reset, and a reset takes away what the client has received and
/// not yet read: the 413 that it should see. So the connection is kept by a second descriptor until the client has
/// closed too, for a limited time, and what it sends is read and thrown away ("lingering close"; RFC 9112, section 9.6,
/// describes it).
final class LingeringClose: Sendable {
    /// How long a client has to finish.
    private static let limit: Duration = .seconds(2)
    /// How many may linger at once: beyond it a refused client may see a reset.
    private static let room = 256
    /// Set in the data of an event that is for here; the rest is the descriptor.
    private static let mark: UInt64 = 1 << 62

    private let epoll: Int32
    /// The second descriptors, and until when they are kept.
    private let descriptors = Mutex<[Int32: MonotonicTime]>([:])

    init(epoll: Int32) {
        self.epoll = epoll
    }

    deinit {
        for descriptor in descriptors.withLock({ $0.keys }) { close(descriptor) }
    }

    /// Keeps a connection that is about to be refused.
    ///
    /// On its worker.
    func keep(_ connection: Connection) {
        guard descriptors.withLock({ $0.count }) < Self.room else { return }
        let descriptor = fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        descriptors.withLock { $0[descriptor] = MonotonicTime.now + Self.limit }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.mark | UInt64(descriptor)))
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    /// Whether an event is for here; handles it if it is.
    ///
    /// On the lookout's thread, like everything that ends a descriptor, so that none is closed while it is read.
    func handle(_ data: UInt64) -> Bool {
        guard data & Self.mark != 0, data < Self.mark << 1 else { return false }
        let descriptor = Int32(truncatingIfNeeded: data)
        guard descriptors.withLock({ $0[descriptor] != nil }) else { return true }
        let isOver = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        }
        if isOver { end(descriptor) }
        return true
    }

    /// Ends those whose time is over.
    func expire(at now: MonotonicTime) {
        let due = descriptors.withLock { $0.filter { $0.value < now }.map(\.key) }
        for descriptor in due { end(descriptor) }
    }

    private func end(_ descriptor: Int32) {
        _ = descriptors.withLock { $0.removeValue(forKey: descriptor) }
        // A descriptor that was duplicated stays in an epoll set when only one of the two is closed; the library's own
        // is not in this set.
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
        close(descriptor)
    }
}
