import CEpoll
import Glibc

/// A counting semaphore for threads, with a time-out of the monotonic clock; that of Dispatch's follows the wall clock.
package final class ThreadSemaphore {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Creates a semaphore with a count of 0.
    package init() {
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Adds one to the count and resumes one waiting thread.
    package func signal() {
        sem_post(semaphore)
    }

    /// Blocks the thread until the count is above 0, then subtracts one.
    package func wait() {
        // A signal handler interrupts the call.
        while sem_wait(semaphore) != 0 {}
    }

    /// Blocks the thread until the count is above 0, then subtracts one; returns false if `limit` is over first.
    package func wait(for limit: Duration) -> Bool {
        let end = (Instant.now + max(limit, .zero)).nanoseconds
        var deadline = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
        while sem_clockwait(semaphore, CLOCK_MONOTONIC, &deadline) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}

// The pointer never changes, and any thread may call the functions of a semaphore (sem_overview(7)).
extension ThreadSemaphore: @unchecked Sendable {}
