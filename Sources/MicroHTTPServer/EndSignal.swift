import Glibc
import Primitives

/// A signal from many threads to one that waits for it, at most until a moment of the monotonic clock.
///
/// A semaphore of libdispatch waits by the time of day on Linux: one that is set during a drain would end or prolong it.
///
/// `@unchecked Sendable`: the mutex protects `isSent`.
final class EndSignal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isSent = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func send() {
        pthread_mutex_lock(mutex)
        isSent = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for a signal after the last one that was taken; returns false at the deadline.
    func wait(until deadline: Instant) -> Bool {
        let (seconds, nanoseconds) = deadline.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        var end = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isSent {
            if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return false }
        }
        isSent = false
        return true
    }
}
