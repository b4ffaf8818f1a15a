#if !THREAD_SANITIZER

public import Synchronization

/// The lock of all modules: the mutex of the standard library.
public typealias Lock = Synchronization.Mutex

#else

import Glibc

/// The lock of all modules in a build for ThreadSanitizer (`-Xswiftc -DTHREAD_SANITIZER`).
///
/// Swift's own mutex is in a library that is not instrumented, so the sanitizer reports every access under one as a
/// race.
///
/// `@unchecked Sendable`: the value is accessed only under the lock.
public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// A lock around a value.
    public init(_ initial: consuming sending Value) {
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
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}

#endif
