import CEpoll
import Glibc
package import Primitives

/// An epoll set (epoll(7)), which is closed in `deinit`.
///
/// Any thread may add and remove descriptors.
package final class PollSet: Sendable {
    /// The events that are waited for.
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let read = Interest(rawValue: EPOLLIN.rawValue)
        package static let write = Interest(rawValue: EPOLLOUT.rawValue)
        /// The end of the peer's side, and no data.
        package static let hangUp = Interest(rawValue: EPOLLRDHUP.rawValue)
        /// Reports each event once.
        package static let once = Interest(rawValue: EPOLLET.rawValue)
    }

    /// A descriptor that is ready.
    package struct Event: Sendable {
        /// The number that the descriptor was added with.
        package let id: UInt64
        /// Whether a read returns at once: with bytes, with the end of the connection or with an error.
        package let isReadable: Bool
    }

    private let epoll: Int32

    /// Creates a set; nil if the process has no descriptor left.
    package init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { return nil }
    }

    deinit {
        close(epoll)
    }

    /// Adds a descriptor; returns false if the system has no room.
    @discardableResult
    package func add(_ descriptor: Int32, id: UInt64, _ interest: Interest) -> Bool {
        control(EPOLL_CTL_ADD, descriptor, id, interest)
    }

    /// Changes the events that are waited for.
    package func change(_ descriptor: Int32, id: UInt64, _ interest: Interest) {
        control(EPOLL_CTL_MOD, descriptor, id, interest)
    }

    /// Removes a descriptor; the system removes one by itself when its last duplicate is closed.
    package func remove(_ descriptor: Int32) {
        control(EPOLL_CTL_DEL, descriptor, 0, [])
    }

    @discardableResult
    private func control(_ operation: Int32, _ descriptor: Int32, _ id: UInt64, _ interest: Interest) -> Bool {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: id))
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    /// Returns the descriptors that are ready, at most `limit`; waits for the first one until the deadline.
    ///
    /// Without a deadline it does not wait.
    package func events(until deadline: Instant? = nil, limit: Int = 64) -> [Event] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: limit) { events in
            let time = deadline.map { Int32(clamping: max(0, ($0 - .now).wholeMillisecondsRoundedUp)) } ?? 0
            let count = epoll_wait(epoll, events.baseAddress, Int32(clamping: events.count), time)
            // A loop, because `map` is code for all types here.
            var ready: [Event] = []
            ready.reserveCapacity(Int(max(0, count)))
            for event in events.prefix(Int(max(0, count))) {
                ready.append(Event(id: event.data.u64, isReadable: event.events != EPOLLOUT.rawValue))
            }
            return ready
        }
    }
}
