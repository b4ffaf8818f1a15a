#if THREAD_SANITIZER

import Glibc

/// `Synchronization.Mutex` in terms of a lock that ThreadSanitizer knows.
///
/// Swift's own is made of a futex and atomics inside a library that is not instrumented, so the sanitizer sees no lock
/// and reports every access under one as a race. Rather than have it look away from all of them, a build with
/// `-Xswiftc -DTHREAD_SANITIZER` puts this type in the place of the other: same name, same methods, a POSIX mutex.
/// It is in no other build.
///
/// A module's own names come before those that it imports, so every module that locks and runs under the sanitizer
/// compiles this file as one of its own, through a symbolic link.
///
/// `@unchecked Sendable`: the value is touched under the lock alone.
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

    /// Runs `body` on the value, alone.
    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}

#endif
