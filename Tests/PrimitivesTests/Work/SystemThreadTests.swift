import Foundation
import Primitives
import Synchronization
import Testing

@Suite("A thread of the system")
struct SystemThreadTests {
    @Test("has its name, and gets no signals")
    func start() throws {
        let seen = Lock<(name: String?, isBlocked: Bool)>((nil, false))
        let thread = SystemThread(named: "event loop") {
            var blocked = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &blocked)
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            let isBlocked = sigismember(&blocked, SIGTERM) == 1
            seen.withLock { $0 = (name, isBlocked) }
        }
        try #require(thread).join()
        #expect(seen.withLock { $0 } == ("event loop\n", true))
    }
}
