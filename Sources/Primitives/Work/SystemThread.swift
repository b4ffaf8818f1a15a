import Glibc

/// A thread of the operating system, for work that blocks or computes for a long time.
///
/// Such work must not occupy a worker thread of the server, because its connections would wait. It must not occupy a
/// thread of Swift's pool either, which has one for each core.
package struct SystemThread: Sendable {
    private let handle: pthread_t

    /// Starts a thread that runs `body` and ends; nil if the system has no thread left.
    ///
    /// Signals are blocked on the thread: other threads wait for them.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(body))
        var handle = pthread_t()
        let result = pthread_create(
            &handle,
            nil,
            { box in
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                // `!`: the argument of pthread_create, which is passed below and never null.
                Unmanaged<Body>.fromOpaque(box!).takeRetainedValue().run()
                return nil
            },
            box.toOpaque()
        )
        guard result == 0 else {
            box.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits for the end of the thread; call either this or `detach`, once.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Lets the system release the thread when it ends.
    package func detach() {
        pthread_detach(handle)
    }

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
