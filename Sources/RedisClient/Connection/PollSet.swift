import CHiredis
import Glibc
import Primitives

/// An epoll set and an eventfd that interrupts its wait.
///
/// Any thread may call `wakeUp`; the other functions belong to the thread of the loop. Both descriptors are closed in
/// `deinit`.
final class PollSet: Sendable {
    /// The readiness that is waited for.
    enum Interest: Equatable {
        case read, write, both

        fileprivate var events: UInt32 {
            switch self {
            case .read: EPOLLIN.rawValue
            case .write: EPOLLOUT.rawValue
            case .both: EPOLLIN.rawValue | EPOLLOUT.rawValue
            }
        }
    }

    /// A descriptor that is ready.
    struct Readiness {
        let mark: UInt64
        /// Whether a read returns at once: with bytes, with the end of the connection or with an error.
        let isReadable: Bool
    }

    private let epoll: Int32
    private let interrupt: Int32

    /// The mark of the eventfd; those of connections are smaller.
    private static let interruptMark = UInt64.max

    /// Creates the set; nil if the process has no descriptor left.
    init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        interrupt = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard epoll >= 0, interrupt >= 0,
            add(interrupt, mark: Self.interruptMark, .read)
        else { return nil }
    }

    deinit {
        close(epoll)
        close(interrupt)
    }

    func wakeUp() {
        var one: UInt64 = 1
        write(interrupt, &one, MemoryLayout<UInt64>.size)
    }

    func add(_ descriptor: Int32, mark: UInt64, _ interest: Interest) -> Bool {
        var event = epoll_event(events: interest.events, data: epoll_data_t(u64: mark))
        return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    func change(_ descriptor: Int32, mark: UInt64, _ interest: Interest) {
        var event = epoll_event(events: interest.events, data: epoll_data_t(u64: mark))
        epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Waits for readiness, an interruption or the deadline, and returns the descriptors that are ready.
    func wait(until deadline: Instant) -> [Readiness] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds(until: deadline))
            var ready: [Readiness] = []
            for event in events.prefix(Int(max(0, count))) {
                if event.data.u64 == Self.interruptMark {
                    var sum: UInt64 = 0
                    read(interrupt, &sum, MemoryLayout<UInt64>.size)
                } else {
                    ready.append(Readiness(mark: event.data.u64, isReadable: event.events != EPOLLOUT.rawValue))
                }
            }
            return ready
        }
    }

    /// The time until the deadline, rounded up so that the wait does not end before it.
    private func milliseconds(until deadline: Instant) -> Int32 {
        let left = (deadline - .now).wholeNanoseconds
        return left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)
    }
}
