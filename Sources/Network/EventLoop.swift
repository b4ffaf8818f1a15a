import CEpoll
import Glibc
package import Primitives
import Synchronization

/// A thread that waits for descriptors, for a deadline and for other threads.
///
/// Its owner has an inbox under a lock: other threads put work into it and call `wakeUp`, and the thread takes the work after
/// each wait.
package final class EventLoop: Sendable {
    /// The descriptors that the thread waits for; their ids are below `UInt64.max`.
    package let descriptors: PollSet
    /// An eventfd that interrupts the wait.
    private let interrupt: Int32
    /// Whether the wait was interrupted and the thread has not noticed it yet.
    private let isSignalled = Atomic(false)
    private let isEnding = Atomic(false)
    private let thread = Lock<SystemThread?>(nil)

    private static let interruptID = UInt64.max

    /// Creates a loop without its thread; nil if the process has no descriptor left.
    package init?() {
        guard let descriptors = PollSet() else { return nil }
        self.descriptors = descriptors
        interrupt = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // Each write is an event of its own, so the sum of an eventfd is never read.
        guard interrupt >= 0, descriptors.add(interrupt, id: Self.interruptID, [.read, .once]) else { return nil }
    }

    deinit {
        close(interrupt)
        thread.withLock { $0.take() }?.detach()
    }

    /// Starts the thread, which runs `body` once; returns false if the system has no thread left.
    ///
    /// `body` calls `wait` until it returns nil.
    package func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        guard let started = SystemThread(named: name, body) else { return false }
        thread.withLock { $0 = started }
        return true
    }

    /// Waits for a descriptor, for `wakeUp` or for the deadline, and returns the descriptors that are ready; nil if the loop
    /// must end.
    ///
    /// Only the thread calls it.
    package func wait(until deadline: Instant) -> [PollSet.Event]? {
        var events = descriptors.events(until: deadline)
        if let index = events.firstIndex(where: { $0.id == Self.interruptID }) {
            events.remove(at: index)
            // From now on a signal is written; the work of those before is taken after this wait.
            _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing)
        }
        return isEnding.load(ordering: .acquiring) ? nil : events
    }

    /// Ends the wait; several calls before the end of the wait are one system call.
    package func wakeUp() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        write(interrupt, &one, MemoryLayout<UInt64>.size)
    }

    /// Has the thread end; does not wait for it.
    package func end() {
        isEnding.store(true, ordering: .releasing)
        wakeUp()
    }

    /// Ends the thread and waits for it; must not be called on that thread.
    package func stop() {
        end()
        thread.withLock { $0.take() }?.join()
    }
}
