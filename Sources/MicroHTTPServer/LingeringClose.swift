import CMicroHTTPD
import Glibc
import Network
import Primitives
import Synchronization

/// Keeps a connection open after a refusal until the client has read it ("lingering close"; RFC 9112, section 9.6).
///
/// The library closes its descriptor after a refusal, even if the client is still sending. The kernel answers unread bytes
/// with a reset, which discards bytes that the client has received and not yet read, such as a 413. So a second descriptor
/// keeps the connection open until the client has closed it too, for a limited time, and what it sends is discarded.
final class LingeringClose: Sendable {
    /// The time-out for the client to close the connection.
    private static let limit: Duration = .seconds(2)
    /// The most connections that linger at once; above it, a refused client may see a reset.
    private static let maxCount = 256

    private let polled: PollSet
    /// The second descriptors and their deadlines.
    private let descriptors = Lock<[Int32: Instant]>([:])

    init(descriptors: PollSet) {
        polled = descriptors
    }

    deinit {
        for descriptor in descriptors.withLock({ $0.keys }) { close(descriptor) }
    }

    /// Keeps a connection that is about to be closed; called on its worker, before the library closes its descriptor.
    ///
    /// The id of its events is the second descriptor.
    func add(_ connection: Connection) {
        let most = min(Self.maxCount, DescriptorLimit.current / 16)
        guard descriptors.withLock({ $0.count }) < most else { return }
        let descriptor = fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        guard DescriptorLimit.leavesSpare(above: descriptor) else {
            close(descriptor)
            return
        }
        descriptors.withLock { $0[descriptor] = Instant.coarse + Self.limit }
        polled.add(descriptor, id: UInt64(descriptor), .read)
    }

    /// Discards what a client has sent.
    ///
    /// Called on the event loop's thread, as is `expire(at:)`, so that no descriptor is closed while it is read.
    func read(_ descriptor: Int32) {
        guard descriptors.withLock({ $0[descriptor] != nil }) else { return }
        let isOver = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        }
        if isOver { end(descriptor) }
    }

    /// Closes the descriptors whose deadline has passed.
    func expire(at now: Instant) {
        let due = descriptors.withLock { $0.filter { $0.value < now }.map(\.key) }
        for descriptor in due { end(descriptor) }
    }

    private func end(_ descriptor: Int32) {
        _ = descriptors.withLock { $0.removeValue(forKey: descriptor) }
        // Closing one of two duplicates does not remove it from an epoll set.
        polled.remove(descriptor)
        close(descriptor)
    }
}
