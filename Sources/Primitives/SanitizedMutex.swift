#if THREAD_SANITIZER

import Glibc

/// Replaces `Synchronization.Mutex` by a lock that ThreadSanitizer knows.
///
/// Swift's own mutex is made of a futex and atomics in a library that is not instrumented. The sanitizer sees no lock
/// there and reports every access under one as a race. A build with `-Xswiftc -DTHREAD_SANITIZER` therefore uses this
/// type, which has the same name and methods and a POSIX mutex. No other build compiles it, and no suppressions are
/// needed.
///
/// A module's own names take precedence over imported ones. Every module that locks and runs under the sanitizer
/// compiles this file as its own, through a symbolic link.
///
/// `@unchecked Sendable`: the value is accessed only under the lock.
struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// A lock around a value.
    init(_ initial: consuming sending Value) {
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}

#endif
