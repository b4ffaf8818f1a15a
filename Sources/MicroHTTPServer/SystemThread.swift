import CMicroHTTPD
import Glibc

/// A thread of the system, for what blocks: the lookout, which waits in `epoll_wait`, and the end of the daemon, which
/// waits for its workers.
///
/// Neither may take a thread of Swift's pool.
struct SystemThread: Sendable {
    private let handle: pthread_t

    /// Runs `body` on a thread of its own; nil when the system has none left.
    init?(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(body))
        var handle = pthread_t()
        let result = pthread_create(
            &handle,
            nil,
            { box in
                // `!`: the argument of pthread_create, given below and never null.
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

    /// Waits for the end of the thread; this or `detach`, once.
    func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread go: nobody will wait for its end.
    func detach() {
        pthread_detach(handle)
    }

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
