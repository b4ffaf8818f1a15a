import Glibc

/// A thread of the operating system, for work that blocks or computes for a long time.
///
/// Such work must not occupy a worker thread of the server, or one of Swift's pool, which has one for each core.
package struct SystemThread: Sendable {
    private let handle: pthread_t

    /// Starts a thread that runs `body` and ends; nil if the system has no thread left.
    ///
    /// Signals are blocked on the thread: other threads wait for them. Linux keeps 15 bytes of the name.
    package init?(named name: String, _ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(name, body))
        var handle = pthread_t()
        let result = pthread_create(
            &handle,
            nil,
            { box in
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                // `!`: the argument of pthread_create, which is passed below and never null.
                let body = Unmanaged<Body>.fromOpaque(box!).takeRetainedValue()
                SystemThread.setName(body.name)
                body.run()
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

    /// Names the thread that calls; proc(5) describes the file.
    ///
    /// `pthread_setname_np` is an extension that Glibc's module hides. Without /proc, the name stays as it is.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        _ = write(file, name, name.utf8.count)
    }

    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }
}
