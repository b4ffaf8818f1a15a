import Glibc

/// A counting semaphore for threads, with a time-out.
///
/// POSIX's own semaphore measures the time-out with the wall clock (sem_timedwait(3)), which may be set back meanwhile;
/// this one is a condition variable and a count.
package final class ThreadSemaphore {
    /// Has one address for its whole life, as POSIX requires.
    private struct Storage {
        var lock = pthread_mutex_t()
        var condition = pthread_cond_t()
        var count = 0
    }

    private let storage: UnsafeMutablePointer<Storage>

    /// Creates a semaphore with a count of 0.
    package init() {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage())
        pthread_mutex_init(&storage.pointee.lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(&storage.pointee.condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(&storage.pointee.condition)
        pthread_mutex_destroy(&storage.pointee.lock)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Adds one to the count and resumes one waiting thread.
    package func signal() {
        pthread_mutex_lock(&storage.pointee.lock)
        storage.pointee.count += 1
        pthread_cond_signal(&storage.pointee.condition)
        pthread_mutex_unlock(&storage.pointee.lock)
    }

    /// Blocks the thread until the count is above 0, then subtracts one.
    package func wait() {
        pthread_mutex_lock(&storage.pointee.lock)
        defer { pthread_mutex_unlock(&storage.pointee.lock) }
        while storage.pointee.count == 0 {
            pthread_cond_wait(&storage.pointee.condition, &storage.pointee.lock)
        }
        storage.pointee.count -= 1
    }

    /// Blocks the thread until the count is above 0, then subtracts one; waits at most for `limit`.
    ///
    /// - Parameter limit: a negative one counts as zero; more than a day counts as a day.
    /// - Returns: false after a time-out; the count is unchanged then.
    package func wait(for limit: Duration) -> Bool {
        let (seconds, attoseconds) = min(max(limit, .zero), .seconds(86_400)).components
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += Int(seconds)
        deadline.tv_nsec += Int(attoseconds / 1_000_000_000)
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        pthread_mutex_lock(&storage.pointee.lock)
        defer { pthread_mutex_unlock(&storage.pointee.lock) }
        while storage.pointee.count == 0 {
            // POSIX allows spurious wake-ups, so only the time-out ends the loop.
            let result = pthread_cond_timedwait(&storage.pointee.condition, &storage.pointee.lock, &deadline)
            if result == ETIMEDOUT { return false }
        }
        storage.pointee.count -= 1
        return true
    }
}

// The pointer never changes, and its memory is accessed under the lock only.
extension ThreadSemaphore: @unchecked Sendable {}
