import Glibc

/// Starts threads of the system, for work that blocks or computes for long.
///
/// Such work must not take a thread of the server, whose connections it would stall, nor one of Swift's pool, which has
/// one thread for each core.
package enum DetachedThread {
    /// Runs `body` on a new thread, which ends with it.
    ///
    /// Signals are not delivered to this thread: they belong to the threads that wait for them.
    ///
    /// - Returns: false if the system has no thread left; `body` does not run then.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(body))
        var handle = pthread_t()
        let result = pthread_create(
            &handle,
            nil,
            { box in
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                // `!`: the argument of pthread_create, given below and never null.
                Unmanaged<Body>.fromOpaque(box!).takeRetainedValue().run()
                return nil
            },
            box.toOpaque()
        )
        guard result == 0 else {
            box.release()
            return false
        }
        pthread_detach(handle)
        return true
    }

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
